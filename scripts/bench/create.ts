import { RECORDS, ZONES, startLargePowerDns, zoneOfSize } from './large-powerdns.ts'
import { startPostgres } from './postgres.ts'
import { startService } from './processes.ts'
import { median, ms, quantile, ratio, verdict, type Result } from './report.ts'
import { seedUsers } from './seed.ts'
import { clientOf, raw, type Answer, type Client } from './zones.ts'
import type { PowerDns } from '../../test/peers/powerdns.ts'

const ROUNDS = 100
const WARM_UP = 20
const VALUE = { content: '192.0.2.1', disabled: false }
/** By number of records in the zone: the limit relative to a raw PATCH. */
const TARGETS = { 50: 2.5, 10_000: 1.3 }

/** One record through Zonekeeper and the same RRset through the PowerDNS API, alternating. */
export async function create(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  const powerDns = await startLargePowerDns(postgres.server)
  const service = await startService(database)
  try {
    const client = await clientOf(service.address, powerDns)
    const rows = []
    for (const [size, target] of Object.entries(TARGETS)) {
      rows.push(await measure(client, powerDns, Number(size), target))
    }
    return {
      title: 'Creating single records through PowerDNS.',
      target: 'at most 2.5 times a raw PATCH in a zone of 50 records, 1.3 times in a zone of 10,000',
      rows,
      notes: [
        `PowerDNS 4.7 on PostgreSQL, with ${ZONES} zones and ${RECORDS} records. Service, PowerDNS, PostgreSQL and client are separate processes; both databases are durable. Medians of ${ROUNDS}, alternating; p95 in parentheses.`,
      ],
    }
  } finally {
    await service.close()
    await powerDns.close()
    await postgres.close()
  }
}

async function measure(client: Client, powerDns: PowerDns, size: number, target: number) {
  const zone = zoneOfSize(size)
  const id = await client.register(zone)
  const records = `/api/domains/${id}/records`
  const record = { recordType: 'A', name: 'ours', value: '192.0.2.1', ttl: 300 }
  const patch = (rrset: object) => raw(powerDns, 'PATCH', `/zones/${zone}.`, { rrsets: [rrset] })
  const rrset = { name: `theirs.${zone}.`, type: 'A' }
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < WARM_UP + ROUNDS; i++) {
    theirs.push(await timed(() => patch({ ...rrset, changetype: 'REPLACE', ttl: 300, records: [VALUE] })))
    let made: Answer
    ours.push(await timed(async () => (made = await client.call('POST', records, record))))
    // Keeps the size of the zone.
    await patch({ ...rrset, changetype: 'DELETE' })
    await client.call('DELETE', `${records}/${made.id}`)
  }
  const [through, bare] = [ours.slice(WARM_UP), theirs.slice(WARM_UP)]
  const times = median(through) / median(bare)
  return {
    'records in the zone': size,
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
