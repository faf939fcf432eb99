import { setTimeout as sleep } from 'node:timers/promises'
import { startPowerDns } from '../../test/peers/powerdns.ts'
import { timed } from './create.ts'
import { startPostgres } from './postgres.ts'
import { signIn, startService } from './processes.ts'
import { median, ms, verdict, type Result } from './report.ts'
import { seedDomains, seedUsers } from './seed.ts'
import { clientOf, raw, type Answer, type Call } from './zones.ts'

const ROUNDS = 3
const RECORDS = 10_000
const DOMAINS = 1_000
const TARGET_MS = { file: 3_000, plan: 2_000 }

/** Zone files of 10,000 records, and a value replaced in 1,000 domains. */
export async function programs(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  // The member owns nine of ten domains.
  await seedDomains(database, { domains: Math.ceil(DOMAINS / 0.9), recordsEach: 50 })
  const powerDns = await startPowerDns()
  const service = await startService(database)
  try {
    const client = await clientOf(service.address, powerDns)
    const { call } = client
    const headers = { ...(await signIn(service.address, 'member')) }
    const importing: number[] = []
    const exporting: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const name = `file-${round}.example.org`
      await raw(powerDns, 'POST', '/zones', {
        name: `${name}.`,
        kind: 'Native',
        nameservers: ['ns1.example.net.'],
      })
      const id = await client.register(name)
      importing.push(await timed(() => importAll(call, id)))
      exporting.push(await timed(() => exportAll(service.address, headers, id)))
    }
    const planning: number[] = []
    let plan: Answer
    for (let round = 0; round < ROUNDS; round++) {
      planning.push(await timed(async () => (plan = await call('POST', '/api/records/replace', REPLACE))))
    }
    const { changedDomains, updates } = plan.totals
    const applying = await timed(() => doneBy(call, '/api/records/replace/apply', { planId: plan.planId }))
    const row = (what: string, values: number[], target?: number) => ({
      what,
      median: ms(median(values)),
      slowest: ms(Math.max(...values)),
      holds: target === undefined ? '' : verdict(median(values) < target),
    })
    return {
      title: 'Zone files of 10,000 records, and a value replaced in many domains.',
      target: 'export and import under 3 s each; the plan over 1,000 domains under 2 s',
      rows: [
        row('import of 10,000 records, until its operation ends', importing, TARGET_MS.file),
        row('export of 10,000 records', exporting, TARGET_MS.file),
        row(
          `plan of a replacement in ${changedDomains} domains (${updates} records)`,
          planning,
          TARGET_MS.plan,
        ),
        row('… applied, one change per domain', [applying]),
      ],
      notes: [
        'Import and export with PowerDNS 4.7, the replacement in manual domains. Service, PowerDNS, PostgreSQL and client are separate processes; PostgreSQL is durable.',
      ],
    }
  } finally {
    await service.close()
    await powerDns.close()
    await postgres.close()
  }
}

const REPLACE = { find: { value: '192.0.0.2' }, replaceWith: { value: '198.51.100.2' }, limit: 50 }

async function exportAll(address: string, headers: Record<string, string>, id: string): Promise<void> {
  const response = await fetch(`${address}/api/domains/${id}/records/export`, { headers })
  const lines = (await response.text()).split('\n').length
  if (lines < RECORDS) throw new Error(`The export has ${lines} lines`)
}

function importAll(call: Call, id: string): Promise<void> {
  const lines = Array.from(
    { length: RECORDS },
    (_, i) => `host-${i} 300 IN A 192.0.${(i >> 8) % 256}.${i % 256}`,
  )
  return doneBy(call, `/api/domains/${id}/records/import`, { zonefile: `${lines.join('\n')}\n` })
}

/** Waits for the end of the operation. */
async function doneBy(call: Call, path: string, body: object): Promise<void> {
  const { operation } = await call('POST', path, body)
  for (;;) {
    const { outcome, problem } = await call('GET', `/api/operations/${operation.id}`)
    if (outcome === 'succeeded') return
    if (outcome !== null) throw new Error(`${path} ended ${outcome}: ${JSON.stringify(problem)}`)
    await sleep(20)
  }
}
