import { sql } from 'kysely'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, signIn } from '../zonekeeper.ts'
import t from 'tap'
import { killable, killedZoneOf } from './killable.ts'

/** A killed instance holds its leases for a while, and the outcome of a write that was lost is known 90 s later. */
export const SOON = { within: 240 }

const OURS = '192.0.2.1'
const THEIRS = '192.0.2.9'

interface Enforced {
  id: string
  source: string
  status: string
}

/** A domain whose policy is to put back what was changed at the provider, on an instance that a test kills. */
export async function enforcing() {
  const fake = await startPowerDnsSimulator()
  t.teardown(() => fake.close())
  fake.createZone('killed.test')
  const { database, start } = await killable()
  const { db } = database
  const { there, writesOf } = killedZoneOf(fake)
  const put = (name: string, content: string) =>
    fake.patch('killed.test', [
      {
        name: `${name}.killed.test.`,
        type: 'A',
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content, disabled: false }],
      },
    ])
  for (let n = 0; n < 12; n++) put(`h${n}`, OURS)

  let service = await start()
  let session = await signIn(service.url)
  const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'killed.test')
  const domain = `/api/domains/${domainId}`
  await session.post(`${domain}/sync`)
  const settings = await session.put(domain, { syncInterval: 5, driftPolicy: 'enforce' })
  if (settings.status !== 200) throw new Error(JSON.stringify(settings.body))

  const served = (name: string) => there(name).map(({ content }) => content)
  /** Changes that put back a name, newest first. */
  const enforced = async (name: string): Promise<Enforced[]> =>
    (await session.get(`${domain}/changes?name=${name}`)).body.changes.filter(
      ({ source }: Enforced) => source === 'enforce',
    )
  return {
    fake,
    db,
    writesOf,
    served,
    enforced,
    /** Somebody changes the name at the provider. */
    changeThere: (name: string) => put(name, THEIRS),
    kill: () => service.kill(),
    restart: async () => {
      service = await start()
      session = await signIn(service.url)
    },
    /** The automatic sync is due, and may put something back again. */
    comes: () =>
      sql`update domains set sync_due_at = now(), enforced_at = null where id = ${domainId}`.execute(db),
    isBack: (name: string) => until('it is put back', async () => served(name).join() === OURS, SOON),
    /** The newest change that puts back the name has this status. */
    hasStatus: (name: string, status: string) =>
      until(`it is ${status}`, async () => (await enforced(name))[0]?.status === status, SOON),
    valuesHere: async (name: string): Promise<string[]> =>
      (await session.get(`${domain}/records?search=${name}`)).body.records
        .filter((one: { name: string }) => one.name === name)
        .map(({ value }: { value: string }) => value),
    told: async (changeId: string): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct event_id)::int as count from notifications
        where event = 'domain.drift_enforced' and metadata ->> 'changeId' = ${changeId}
      `.execute(db)
      return rows[0]?.count ?? 0
    },
    /** The name is free: a user changes its record and changes it back. */
    changeable: async (name: string): Promise<void> => {
      const { records } = (await session.get(`${domain}/records?search=${name}`)).body
      const record = records.find((one: { name: string }) => one.name === name)
      for (const value of ['192.0.2.50', OURS]) {
        const { status, body } = await session.put(`${domain}/records/${record.id}`, { value })
        if (status !== 200) throw new Error(JSON.stringify(body))
      }
    },
  }
}
