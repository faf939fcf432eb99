import type { Client } from '../helpers/app.ts'
import { startPowerDns, type PowerDns } from '../peers/powerdns.ts'
import { startServer, type SimulatorServer } from '../conformance/simulators/server.ts'
import { made } from './seed.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export interface Zones {
  powerdns: PowerDns
  /** What stands between the service and the server, passes everything on, and can be told to fail (`fail`, `heal`). */
  front: SimulatorServer
  /** A zone at the server, in a domain of its own; answers the domain's id. */
  addZone(by: Client, name: string, records?: { name: string; value: string }[]): Promise<string>
}

const CONNECTION = 'Behind the front'

/** A real PowerDNS, reached through a front that can cut it off. */
export async function startZones(t: Owner): Promise<Zones> {
  const powerdns = await startPowerDns()
  t.teardown(() => powerdns.close())
  const front = await startServer(async ({ method, path, query, headers, body }) => {
    const answer = await fetch(`${powerdns.apiUrl}${path}?${query.toString()}`, {
      method,
      headers: { accept: String(headers.accept), 'x-api-key': String(headers['x-api-key']) },
      ...(body === '' ? {} : { body }),
    })
    const type = { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }
    return { status: answer.status, headers: type, body: await answer.text() }
  })
  t.teardown(() => front.close())

  /** The connection of who asks; made with the first zone. */
  async function connection(by: Client): Promise<string> {
    const { providerConfigs: configs } = made(await by.get('/api/provider-configs'))
    const known = (configs as { id: string; name: string }[]).find(({ name }) => name === CONNECTION)
    if (known) return known.id
    const { providers } = made(await by.get('/api/providers'))
    const provider = (providers as { id: string; key: string }[]).find(({ key }) => key === 'powerdns')
    const credentials = { apiUrl: front.url, apiKey: powerdns.apiKey, serverId: 'localhost' }
    const body = {
      providerId: provider?.id,
      name: CONNECTION,
      credentials,
      nameServers: ['ns1.example.net'],
    }
    return made(await by.post('/api/provider-configs', body)).id as string
  }

  async function addZone(by: Client, name: string, records: { name: string; value: string }[] = []) {
    const providerConfigId = await connection(by)
    const { id } = made(await by.post('/api/domains', { name, providerConfigId, createZone: true }))
    if (records.length > 0) {
      const all = records.map((record) => ({ recordType: 'A', ttl: 300, ...record }))
      made(await by.post(`/api/domains/${id}/records/bulk`, { records: all }))
    }
    return id as string
  }
  return { powerdns, front, addZone }
}
