import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { inherited } from '../helpers/environment.ts'
import { until } from '../helpers/until.ts'
import { startProgram, type Program } from './processes.ts'

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
export const ADMIN = { username: 'admin', password: 'a password for the tests' }

export interface Answer {
  status: number
  headers: Headers
  // Tests look into bodies of many shapes; what is wrong with one shows in the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface Zonekeeper extends Program {
  url: string
}

/**
 * The service itself, `node server.js`, on a free port. Nothing of our own environment or of a `.env` file
 * is in its way but what `environment` says.
 */
export async function startZonekeeper(
  environment: Record<string, string>,
  how: { command?: string[]; cwd?: string } = {},
): Promise<Zonekeeper> {
  const program = await launchZonekeeper(environment, how)
  const listens = /Zonekeeper listens on (http:\/\/[^\s"]+)/
  let over = false
  void program.ended.then(() => (over = true))
  await until('the service listens', () => over || listens.test(program.output()), { within: 60 })
  const url = listens.exec(program.output())?.[1]
  if (url === undefined) throw new Error(`The service did not start:\n${program.output()}`)
  return { ...program, url }
}

/** The same, without a wait for anything. */
export const launchZonekeeper = (
  environment: Record<string, string>,
  { command = [process.execPath, 'server.js'], cwd = CHECKOUT }: { command?: string[]; cwd?: string } = {},
): Promise<Program> =>
  startProgram(command, {
    cwd,
    env: {
      ...inherited(),
      PORT: '0',
      RATE_LIMIT: '0',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...environment,
    },
  })

/** One call; the body goes and comes as JSON. */
export async function call(
  base: string,
  method: string,
  path: string,
  { body, token, headers = {} }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${base}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

export interface Session {
  accessToken: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** Signs in as the first administrator. */
export async function signIn(base: string, headers: Record<string, string> = {}): Promise<Session> {
  const { status, body } = await call(base, 'POST', '/api/auth/login', { body: ADMIN, headers })
  if (status !== 200) throw new Error(`Sign-in failed: ${status} ${JSON.stringify(body)}`)
  const token = (body as { accessToken: string }).accessToken
  return {
    accessToken: token,
    get: (path) => call(base, 'GET', path, { token }),
    post: (path, body, headers = {}) => call(base, 'POST', path, { token, body, headers }),
    put: (path, body) => call(base, 'PUT', path, { token, body }),
    delete: (path) => call(base, 'DELETE', path, { token }),
  }
}

/** Connects a PowerDNS and registers a domain there, with a new zone. */
export async function addDomain(
  session: Session,
  { apiUrl, apiKey }: { apiUrl: string; apiKey: string },
  name: string,
): Promise<string> {
  const providerId = '0192f0a0-0000-7000-8000-000000000002'
  const credentials = { apiUrl, apiKey }
  const nameServers = ['ns1.example.net', 'ns2.example.net']
  const config = await session.post('/api/provider-configs', {
    providerId,
    name: 'Test',
    credentials,
    nameServers,
  })
  const providerConfigId = (config.body as { id: string }).id
  const domain = await session.post('/api/domains', { name, providerConfigId, createZone: true })
  if (domain.status !== 201) throw new Error(`No domain: ${JSON.stringify(domain.body)}`)
  return (domain.body as { id: string }).id
}

/** The tests' database server as a URL, which is what the service takes. */
export function databaseUrl(config: pg.ClientConfig): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url !== undefined) return Object.assign(new URL(url), { pathname: `/${config.database}` }).href
  const query = new URLSearchParams({
    host: String(config.host),
    port: String(config.port),
    user: String(config.user),
  })
  return `postgres:///${config.database}?${query.toString()}`
}
