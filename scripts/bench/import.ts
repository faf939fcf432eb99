import { timed } from './create.ts'
import { RECORDS, ZONES, startLargePowerDns } from './large-powerdns.ts'
import { startPostgres } from './postgres.ts'
import { startService } from './processes.ts'
import { ratio, verdict, type Result } from './report.ts'
import { seedUsers } from './seed.ts'
import { clientOf, raw } from './zones.ts'

const ROUNDS = 5
const ZONES_A_ROUND = 100
/** As the console calls. */
const ZONES_A_CALL = 20
/** As the service reads them. */
const PARALLEL = 4
const TARGET = 1.5
const TARGET_MS = 3 * 60_000

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

/** Zones imported from PowerDNS, and as many others read through its API, alternating. */
export async function importing(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  const powerDns = await startLargePowerDns(postgres.server)
  const service = await startService(database)
  try {
    const { call, providerConfigId } = await clientOf(service.address, powerDns)
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `zone-${from + i}.example.net`)
    // The console lists the zones to choose from.
    const listing = await timed(() => call('GET', `/api/provider-configs/${providerConfigId}/zones`))
    let [ours, theirs] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      const first = 1 + 2 * round * ZONES_A_ROUND
      theirs += await timed(() => walk(named(first + ZONES_A_ROUND, ZONES_A_ROUND)))
      for (let from = 0; from < ZONES_A_ROUND; from += ZONES_A_CALL) {
        const zones = named(first + from, ZONES_A_CALL)
        ours += await timed(async () => {
          const { succeeded } = await call('POST', '/api/domains/import', { providerConfigId, zones })
          if (succeeded !== zones.length)
            throw new Error(`Only ${succeeded} of ${zones.length} were imported`)
        })
      }
    }
    const all = (times: number) => (times * ZONES) / (ROUNDS * ZONES_A_ROUND)
    const total = listing + all(ours)
    return {
      title: 'Importing zones from PowerDNS.',
      target:
        '10,000 zones in less than 3 minutes, and at most 1.5 times as long as reading them through the API of PowerDNS',
      rows: [
        {
          zones: ZONES,
          Zonekeeper: seconds(total),
          'raw walk': seconds(all(theirs)),
          ratio: ratio(total / all(theirs)),
          holds: verdict(total / all(theirs) <= TARGET && total < TARGET_MS),
        },
      ],
      notes: [
        `PowerDNS 4.7 on PostgreSQL, with ${ZONES} zones and ${RECORDS} records. Extrapolated from ${ROUNDS * ZONES_A_ROUND} zones on each side, ${ZONES_A_ROUND} at a time; ${ZONES_A_CALL} in a call, as the console does. The service lists the zones first, as the console does, which took ${seconds(listing)}. The raw walk reads ${PARALLEL} zones at the same time, as the service does.`,
      ],
    }
  } finally {
    await service.close()
    await powerDns.close()
    await postgres.close()
  }

  async function walk(zones: string[]): Promise<void> {
    const left = [...zones]
    const worker = async () => {
      for (let zone = left.pop(); zone !== undefined; zone = left.pop())
        await raw(powerDns, 'GET', `/zones/${zone}.`)
    }
    await Promise.all(Array.from({ length: PARALLEL }, worker))
  }
}
