import { startPowerDnsSimulator, type PowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import { startApp, type Answer, type Client, type TestApp } from './app.ts'

export const MANUAL = '0192f0a0-0000-7000-8000-000000000001'
export const POWERDNS = '0192f0a0-0000-7000-8000-000000000002'

interface Owner {
  teardown(end: () => unknown): void
}

/** A configuration without a provider behind it. Answers its id. */
export async function addManual(client: Client, name = 'manual'): Promise<string> {
  return idOf(await client.post('/api/provider-configs', { providerId: MANUAL, name }))
}

/** A fake PowerDNS of the test's own. */
export async function startFake(t: Owner): Promise<PowerDnsSimulator> {
  const fake = await startPowerDnsSimulator()
  t.teardown(() => fake.close())
  return fake
}

/** A configuration of the client's for that server. Answers its id. */
export async function addPowerDns(
  client: Client,
  fake: PowerDnsSimulator,
  name = 'PowerDNS',
): Promise<string> {
  const credentials = { apiUrl: fake.url, apiKey: fake.apiKey }
  return idOf(await client.post('/api/provider-configs', { providerId: POWERDNS, name, credentials }))
}

/** Registers a domain; the zone must be there. Answers it. */
export async function addDomain(client: Client, providerConfigId: string, name: string, more: object = {}) {
  const answer = await client.post('/api/domains', { name, providerConfigId, ...more })
  idOf(answer)
  return answer.body as { id: string; name: string }
}

export function idOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  if (status !== 201) throw new Error(`Not created: ${JSON.stringify(body)}`)
  return (body as { id: string }).id
}

/** A domain that is a zone on a fake PowerDNS, and the ways to look at both ends of it. */
export interface Zone extends TestApp {
  fake: PowerDnsSimulator
  configId: string
  domainId: string
  /** Of its records. */
  url: string
  /** Creates a record, and answers it. */
  add(
    recordType: string,
    name: string,
    value: string,
    more?: object,
  ): Promise<{ id: string; version: number }>
  /** The values of an RRset at the provider, sorted; `name` relative. */
  there(name: string, type: string): string[]
  /** Somebody adds a value to an RRset at the provider. */
  putThere(name: string, type: string, content: string): void
  /** All records here, as "name type value", sorted. */
  here(): Promise<string[]>
  /** Calls that write, to the provider, so far. */
  writes(): number
}

export async function startZone(
  t: Owner,
  {
    name = 'example.com',
    app,
    ...options
  }: { name?: string; /** Started before. */ app?: TestApp } & Parameters<typeof startApp>[1] = {},
): Promise<Zone> {
  const [service, fake] = await Promise.all([app ?? startApp(t, options), startFake(t)])
  const { admin } = service
  fake.createZone(name)
  const configId = await addPowerDns(admin, fake)
  const { id: domainId } = await addDomain(admin, configId, name)
  const url = `/api/domains/${domainId}/records`
  return {
    ...service,
    fake,
    configId,
    domainId,
    url,
    add: async (recordType, host, value, more = {}) => {
      const answer = await admin.post(url, { recordType, name: host, value, ttl: 300, ...more })
      idOf(answer)
      return answer.body as { id: string; version: number }
    },
    there: (host, type) => contentsAt(fake, name, host, type),
    putThere: (host, type, content) => {
      const contents = [...contentsAt(fake, name, host, type), content]
      const records = contents.map((one) => ({ content: one, disabled: false }))
      const owner = host === '@' ? `${name}.` : `${host}.${name}.`
      fake.patch(name, [{ name: owner, type, ttl: 300, changetype: 'REPLACE', records }])
    },
    here: async () => {
      const { body } = await admin.get(`${url}?limit=200`)
      const records = body.records as { name: string; recordType: string; value: string }[]
      return records.map((record) => `${record.name} ${record.recordType} ${record.value}`).sort()
    },
    writes: () => fake.requests.filter(({ method }) => method === 'PATCH').length,
  }
}

export function contentsAt(fake: PowerDnsSimulator, zone: string, host: string, type: string): string[] {
  const name = host === '@' ? `${zone}.` : `${host}.${zone}.`
  const rrset = fake.dump(zone).find((found) => found.name === name && found.type === type)
  return (rrset?.records ?? []).map(({ content }) => content).sort()
}

/** What still waits to be settled in a domain: changes, records, locked names. */
export async function unsettled({ database: { db }, domainId }: Zone): Promise<number[]> {
  const rows = await Promise.all([
    db
      .selectFrom('changes')
      .select('id')
      .where('domain_id', '=', domainId)
      .where('status', '=', 'pending')
      .execute(),
    db
      .selectFrom('records')
      .select('id')
      .where('domain_id', '=', domainId)
      .where('status', '=', 'pending')
      .execute(),
    db.selectFrom('name_locks').select('name').where('domain_id', '=', domainId).execute(),
  ])
  return rows.map((found) => found.length)
}
