import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { freePort } from '../../test/peers/processes.ts'
import { call, databaseUrl, startZonekeeper, type Answer } from '../../test/peers/zonekeeper.ts'

export const PASSWORD = 'correct horse battery staple'

/** User agents of browsers. */
export const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0'

const DAY_MS = 86_400_000
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

export interface Person {
  id: string
  get(path: string): Promise<Answer['body']>
  post(path: string, body?: unknown): Promise<Answer['body']>
  put(path: string, body: unknown): Promise<Answer['body']>
  /** Ends the session. */
  leave(): Promise<void>
}

export interface Service {
  origin: string
  /** Signs in through the API with that user agent; unexpected answers are errors. */
  person: (username: string, userAgent?: string) => Promise<Person>
  /** Moves everything done so far that many days into the past. */
  daysPass: (days: number) => Promise<void>
  stop(): Promise<void>
}

/** `npm start` on a database of its own, with this administrator; it calls only this machine, also as its resolver. */
export async function startService(administrator: string, resolver: string): Promise<Service> {
  const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-shots-'))
  const postgres = await startEmbedded({ dataDir: path.join(work, 'database'), durable: false })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const program = await startZonekeeper({
    DATABASE_URL: databaseUrl(postgres.connection),
    DATA_DIR: path.join(work, 'data'),
    PORT: String(port),
    SITE_URL: origin,
    LOG_LEVEL: 'error',
    ADMIN_USERNAME: administrator,
    ADMIN_PASSWORD: PASSWORD,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    DNS_RESOLVERS: resolver,
    RDAP_BOOTSTRAP_URL: 'http://127.0.0.1:9/dns.json',
    WHOIS_SERVER: '127.0.0.1:9',
    // Nothing listens there: invitations and codes only have to be accepted for sending.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'zonekeeper@tidewater.example',
  })
  return {
    origin,
    async person(username, userAgent = 'zonekeeper-shots') {
      const headers = { 'user-agent': userAgent }
      const said = await call(origin, 'POST', '/api/auth/login', {
        body: { username, password: PASSWORD },
        headers,
      })
      const { accessToken: token, user } = made('sign-in', said) as {
        accessToken: string
        user: { id: string }
      }
      return {
        id: user.id,
        get: async (url) => made(url, await call(origin, 'GET', url, { token })),
        post: async (url, body = {}) => made(url, await call(origin, 'POST', url, { token, body })),
        put: async (url, body) => made(url, await call(origin, 'PUT', url, { token, body })),
        async leave() {
          const own = '/api/auth/me/sessions'
          const { sessions } = made(own, await call(origin, 'GET', own, { token })) as {
            sessions: { id: string; current: boolean }[]
          }
          const current = sessions.find((session) => session.current)
          made(own, await call(origin, 'DELETE', `${own}/${current?.id}`, { token }))
        },
      }
    },
    daysPass: (days) => moveBack(postgres.connection, days),
    async stop() {
      await program.stop()
      await postgres.stop()
      rmSync(work, { recursive: true, force: true })
    },
  }
}

function made(url: string, { status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Columns with times. Of sessions only those of browsers, because programs need a recent sign-in. */
const MOMENTS: Record<string, { columns: string[]; where?: string }> = {
  users: { columns: ['created_at', 'updated_at', 'last_login_at'] },
  domains: { columns: ['created_at', 'updated_at', 'last_synced_at'] },
  records: { columns: ['created_at', 'updated_at'] },
  changes: { columns: ['created_at', 'settled_at'] },
  assignments: { columns: ['created_at'] },
  assignment_requests: { columns: ['created_at', 'decided_at'] },
  invitations: { columns: ['created_at'] },
  notifications: { columns: ['created_at'] },
  audit: { columns: ['at'] },
  health_findings: { columns: ['since'] },
  personal_tokens: { columns: ['created_at', 'last_used_at'] },
  provider_configs: { columns: ['created_at', 'updated_at'] },
  sessions: { columns: ['created_at', 'last_used_at'], where: "user_agent like 'Mozilla%'" },
}

async function moveBack(database: pg.ClientConfig, days: number): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    for (const [table, { columns, where = 'true' }] of Object.entries(MOMENTS)) {
      const set = columns.map((column) => `${column} = ${column} - make_interval(mins => $1)`).join(', ')
      await client.query(`update ${table} set ${set} where ${where}`, [Math.round(days * 1440)])
    }
  } finally {
    await client.end()
  }
}
