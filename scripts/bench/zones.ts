import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { connect } from '../../db/connection/connect.ts'
import { startPowerDns, type PowerDns } from '../../test/peers/powerdns.ts'
import { startPostgres } from './postgres.ts'
import { signIn } from './processes.ts'
import { SECRET_KEY, seedUsers } from './seed.ts'

/** A call of the service as `member`; rejects if it fails. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** The service over HTTP, with a real PowerDNS. */
export interface Client {
  call: Call
  /** Of the connection to PowerDNS. */
  providerConfigId: string
  /** Registers a PowerDNS zone and syncs it; returns the id of the domain. */
  register(name: string): Promise<string>
}

/** The same with a durable database. */
export interface Workplace extends Client {
  powerDns: PowerDns
  /** Creates a zone of that size in PowerDNS, registers and syncs it; returns the id of the domain. */
  addZone(name: string, records: number): Promise<string>
  close(): Promise<void>
}

// Answers of many routes are looked into here.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any

/** In this process, so that its statements can be counted. */
export async function openWorkplace(): Promise<Workplace> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  const powerDns = await startPowerDns()
  const config = readConfig(
    { LOG_LEVEL: 'silent', RATE_LIMIT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' },
    '/dev/null',
  )
  const connection = connect(database)
  const app = await buildApp(config, { connection, secretKeys: [SECRET_KEY], alone: true })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = await clientOf(address, powerDns)
  return {
    powerDns,
    ...client,
    async addZone(name, records) {
      await raw(powerDns, 'POST', '/zones', zoneOf(name, records))
      return client.register(name)
    },
    async close() {
      await app.close()
      await connection.close()
      await powerDns.close()
      await postgres.close()
    },
  }
}

/** The service at this address, signed in by the headers. */
export const callerOf =
  (address: string, headers: Record<string, string>): Call =>
  async (method, path, body) => {
    const response = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: Answer = response.status === 204 ? null : await response.json()
    if (!response.ok)
      throw new Error(`${method} ${path} answers ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

/** Uses the service at this address, with a connection to this PowerDNS. */
export async function clientOf(address: string, powerDns: PowerDns): Promise<Client> {
  const call = callerOf(address, { ...(await signIn(address, 'member')) })
  const { providers } = await call('GET', '/api/providers')
  const { id: providerId } = providers.find((provider: Answer) => provider.key === 'powerdns')
  const providerConfig = await call('POST', '/api/provider-configs', {
    providerId,
    name: 'bench',
    credentials: { apiUrl: powerDns.apiUrl, apiKey: powerDns.apiKey },
  })
  return {
    call,
    providerConfigId: providerConfig.id,
    async register(name) {
      const domain = await call('POST', '/api/domains', { name, providerConfigId: providerConfig.id })
      await call('POST', `/api/domains/${domain.id}/sync`)
      return domain.id
    },
  }
}

/** A direct call of PowerDNS' own API. */
export async function raw(powerDns: PowerDns, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${powerDns.apiUrl}/api/v1/servers/localhost${path}`, {
    method,
    headers: { 'x-api-key': powerDns.apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`PowerDNS answers ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

const zoneOf = (name: string, records: number) => ({
  name: `${name}.`,
  kind: 'Native',
  nameservers: ['ns1.example.net.'],
  rrsets: Array.from({ length: records }, (_, i) => ({
    name: `host-${i}.${name}.`,
    type: 'A',
    ttl: 3600,
    records: [{ content: `192.0.${(i >> 8) % 256}.${i % 256}`, disabled: false }],
  })),
})
