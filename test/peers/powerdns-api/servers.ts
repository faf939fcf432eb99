import cloudflare from '../../../modules/providers/adapters/cloudflare/index.ts'
import cloudflareDialect from '../../conformance/simulators/cloudflare.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'
import { startApp, type Client } from '../../helpers/app.ts'
import { idOf, MANUAL, POWERDNS } from '../../helpers/zone.ts'
import { startPowerDns, type PowerDns } from '../powerdns.ts'
import type { Answer } from './compare.ts'
import { NAME_SERVERS, SERVER, type Backend, type Step } from './scenario.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** A server that speaks the API. */
export interface ApiServer {
  url: string
  key: string
  /** Creates a zone with NAME_SERVERS and nothing else. */
  addZone(name: string): Promise<void>
}

/** The service for a user whose only connection is that backend. */
export interface Owned extends ApiServer {
  client: Client
  /** Registers a domain there; answers its id. */
  addDomain(name: string): Promise<string>
}

export interface Service {
  url: string
  /** The PowerDNS behind it. */
  powerdns: PowerDns
  at: Record<Backend, Owned>
}

/** A real PowerDNS to compare with. */
export async function startReference(t: Owner): Promise<ApiServer & { server: PowerDns }> {
  const server = await startPowerDns()
  t.teardown(() => server.close())
  const api = { url: server.apiUrl, key: server.apiKey }
  const addZone = async (name: string) => {
    const body = { name: `${name}.`, kind: 'Native', nameservers: NAME_SERVERS, soa_edit_api: 'DEFAULT' }
    const { status } = await send(api, { method: 'POST', path: `${SERVER}/zones`, body })
    if (status !== 201) throw new Error(`PowerDNS creates no zone ${name}: ${status}`)
  }
  return { ...api, addZone, server }
}

/**
 * The service on a port of its own, with a real PowerDNS, a simulated Cloudflare and a manual connection behind it. Each has a
 * user of its own, so that it is where their new zones go.
 */
export async function startService(t: Owner): Promise<Service> {
  const [{ app, addUser, signIn }, powerdns, cloud] = await Promise.all([
    startApp(t, { jobs: true }),
    startPowerDns(),
    startSimulator(cloudflareDialect),
  ])
  t.teardown(() => Promise.all([powerdns.close(), cloud.close()]))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const connections = {
    powerdns: {
      providerId: POWERDNS,
      credentials: { apiUrl: powerdns.apiUrl, apiKey: powerdns.apiKey },
      nameServers: NAME_SERVERS.map((name) => name.replace(/\.$/, '')),
    },
    cloudflare: {
      providerId: cloudflare.id,
      credentials: { apiUrl: cloud.apiUrl, apiToken: cloud.token, accountId: cloud.accountId },
    },
    manual: { providerId: MANUAL },
  }
  const owner = async (backend: Backend) => {
    await addUser(backend)
    const client = await signIn(backend)
    const connection = await client.post('/api/provider-configs', { ...connections[backend], name: backend })
    const addDomain = async (name: string) => {
      if (backend === 'cloudflare') cloud.createZone(name)
      const more = backend === 'powerdns' ? { createZone: true } : {}
      return idOf(await client.post('/api/domains', { name, providerConfigId: idOf(connection), ...more }))
    }
    return {
      url,
      key: await newToken(client),
      client,
      addDomain,
      addZone: async (name: string) => void (await addDomain(name)),
    }
  }
  const [first, second, third] = [await owner('powerdns'), await owner('cloudflare'), await owner('manual')]
  return { url, powerdns, at: { powerdns: first, cloudflare: second, manual: third } }
}

/** A new token that may do all that the API needs, or less. */
export async function newToken(
  client: Client,
  permissions = ['domains:read', 'domains:write', 'records:read', 'records:write'],
  restrictions: object = {},
): Promise<string> {
  const { status, body } = await client.post('/api/auth/me/tokens', {
    name: 'powerdns',
    permissions,
    restrictions,
  })
  if (status !== 201) throw new Error(`No token: ${JSON.stringify(body)}`)
  return (body as { token: string }).token
}

/** Sends a request as programs do: without a content type, unless it is given. */
export async function send({ url, key }: Pick<ApiServer, 'key' | 'url'>, step: Step): Promise<Answer> {
  const { method, path, body, headers } = step
  const keys = step.key === 'none' ? {} : { 'x-api-key': step.key === 'wrong' ? 'wrong' : key }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...keys, ...headers },
    // Bytes, because text would get a content type.
    ...(payload !== undefined && { body: Buffer.from(payload) }),
  })
  const text = await answer.text()
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
  return { status: answer.status, type: text === '' ? '' : type, body: read(text, type), text }
}

function read(text: string, type: string): unknown {
  return /json/.test(type) && text !== '' ? (JSON.parse(text) as unknown) : text
}
