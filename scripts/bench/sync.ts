import { timed } from './create.ts'
import { ms, verdict, type Result } from './report.ts'
import { memoryOf } from './start.ts'
import { statementsOf } from './statements.ts'
import { openWorkplace, raw, type Workplace } from './zones.ts'

const SIZES = [1_000, 10_000]

/**
 * Syncs zones of two sizes: the first sync, one without differences, and one in which every record changed.
 */
export async function sync(): Promise<Result> {
  const workplace = await openWorkplace()
  try {
    const rows = []
    for (const size of SIZES) rows.push(...(await measure(workplace, size)))
    const perThousand = rows.map((row) => Number(row['statements per 1,000 records']))
    return {
      title: 'Sync with PowerDNS.',
      target: 'one pass, a constant number of statements per 1,000 records, bounded memory',
      rows,
      notes: [
        `Statements grow no faster than records: ${verdict(Math.max(...perThousand) === perThousand[0] || Math.max(...perThousand) <= 20)}. ` +
          'PowerDNS returns the zone in one answer. Memory growth is that of the whole process without forced garbage collection.',
      ],
    }
  } finally {
    await workplace.close()
  }
}

async function measure(workplace: Workplace, size: number) {
  const zone = `sync${size}.example.org`
  const id = await workplace.addZone(zone, 1)
  const rows = []
  for (const [what, ttl] of [
    ['first', 3600],
    ['no difference', 3600],
    ['all changed', 7200],
  ] as const) {
    await raw(workplace.powerDns, 'PATCH', `/zones/${zone}.`, { rrsets: rrsetsOf(zone, size, ttl) })
    const before = memoryOf(process.pid)
    let took = 0
    const statements = await statementsOf(async () => {
      took = await timed(() => workplace.call('POST', `/api/domains/${id}/sync`))
    })
    rows.push({
      records: size,
      sync: what,
      time: ms(took),
      'SQL statements': statements.length,
      'statements per 1,000 records': (statements.length / (size / 1000)).toFixed(1),
      'memory growth': `${Math.max(0, Math.round(memoryOf(process.pid) - before))} MB`,
    })
  }
  return rows
}

const rrsetsOf = (zone: string, size: number, ttl: number) =>
  Array.from({ length: size }, (_, i) => ({
    name: `host-${i}.${zone}.`,
    type: 'A',
    ttl,
    changetype: 'REPLACE',
    records: [{ content: `192.0.${(i >> 8) % 256}.${i % 256}`, disabled: false }],
  }))
