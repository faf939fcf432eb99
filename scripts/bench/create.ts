import { RECORDS, ZONES, otherOfSize, startLargePowerDns, zoneOfSize } from './large-powerdns.ts'
import { startPostgres } from './postgres.ts'
import { startService } from './processes.ts'
import { median, ms, quantile, ratio, verdict, type Result } from './report.ts'
import { seedUsers } from './seed.ts'
import { clientOf, raw, type Answer, type Client } from './zones.ts'
import type { PowerDns } from '../../test/peers/powerdns.ts'

const ROUNDS = 100
const WARM_UP = 20
const TTL = 300
const VALUE = '192.0.2.1'

/** `target`: the limit relative to a raw PATCH. */
interface Case {
  size: number
  records: number
  target: number
}

const CASES: Case[] = [
  { size: 50, records: 1, target: 2 },
  { size: 10_000, records: 1, target: 1.5 },
  { size: 50, records: 100, target: 1.5 },
  { size: 10_000, records: 100, target: 1.5 },
]

/** Records created through Zonekeeper, and as many RRsets through the PowerDNS API, alternating. */
export async function create(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  const powerDns = await startLargePowerDns(postgres.server)
  const service = await startService(database)
  try {
    const client = await clientOf(service.address, powerDns)
    const rows = []
    for (const size of new Set(CASES.map((one) => one.size))) {
      const id = await client.register(zoneOfSize(size))
      for (const one of CASES.filter((other) => other.size === size))
        rows.push(await measure(client, powerDns, id, one))
    }
    return {
      title: 'Creating records through PowerDNS.',
      target:
        'relative to a raw PATCH, one record at most 2.0 times in a zone of 50 and 1.5 times in a zone of 10,000, 100 records in one call 1.5 times',
      rows,
      notes: [
        `PowerDNS 4.7 on PostgreSQL, with ${ZONES} zones and ${RECORDS} records. Service, PowerDNS, PostgreSQL and client are separate processes; both databases are durable. Medians of ${ROUNDS} (of ${ROUNDS / 5} for 100 records), alternating; p95 in parentheses. The raw PATCH goes to another zone of the same size: from each change by others, the next one here reads the whole zone.`,
      ],
    }
  } finally {
    await service.close()
    await powerDns.close()
    await postgres.close()
  }
}

async function measure(client: Client, powerDns: PowerDns, id: string, { size, records, target }: Case) {
  const other = otherOfSize(size)
  const url = `/api/domains/${id}/records`
  const names = Array.from({ length: records }, (_, i) => `new-${i}`)
  const rounds = records === 1 ? ROUNDS : ROUNDS / 5
  const patch = (change: object) =>
    raw(powerDns, 'PATCH', `/zones/${other}.`, {
      rrsets: names.map((name) => ({ name: `${name}.${other}.`, type: 'A', ...change })),
    })
  const set = { changetype: 'REPLACE', ttl: TTL, records: [{ content: VALUE, disabled: false }] }
  const wanted = names.map((name) => ({ recordType: 'A', name, value: VALUE, ttl: TTL }))
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < WARM_UP + rounds; i++) {
    theirs.push(await timed(() => patch(set)))
    ours.push(
      await timed(() =>
        records === 1
          ? client.call('POST', url, wanted[0])
          : client.call('POST', `${url}/bulk`, { records: wanted }),
      ),
    )
    // Keeps the size of the zones.
    await patch({ changetype: 'DELETE' })
    const { records: made } = await client.call('GET', `${url}?search=new-&limit=${records}`)
    const changes = made.map((record: Answer) => ({ action: 'delete', recordId: record.id }))
    await client.call('POST', `${url}/apply`, { changes })
  }
  const [through, bare] = [ours.slice(WARM_UP), theirs.slice(WARM_UP)]
  const times = median(through) / median(bare)
  return {
    'records in the zone': size,
    created: records,
    Zonekeeper: shown(through),
    'raw PATCH': shown(bare),
    ratio: ratio(times),
    target: ratio(target),
    holds: verdict(times <= target),
  }
}

const shown = (times: number[]) => `${ms(median(times))} (${ms(quantile(times, 0.95))})`

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
