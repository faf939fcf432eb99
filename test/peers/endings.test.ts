// Runs last: holds times to bounds.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { call, databaseUrl, signIn, startZonekeeper, type Answer, type Session } from './zonekeeper.ts'

/*
 * What ends on one instance is refused by the other within 100 ms.
 */
t.setTimeout(240_000)
const LIMIT_MS = 100
const PASSWORD = 'a password of somebody'

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-endings-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const database = await createDatabase(t)
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '100000',
  TRUST_PROXY: '127.0.0.1',
}

let addresses = 0
/** An address that nobody has signed in from. */
const newAddress = () => ({ 'x-forwarded-for': `198.51.${++addresses >> 8}.${addresses & 255}` })

type Pair = readonly [one: string, two: string]

async function startPair(): Promise<Pair> {
  const start = async () => {
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    return service.url
  }
  return [await start(), await start()]
}

/** Somebody with a session and a personal token. */
interface Victim {
  id: string
  session: string
  token: string
  tokenId: string
}

async function addVictim(admin: Session, url: string): Promise<Victim> {
  const headers = newAddress()
  const body = { username: `victim-${addresses}`, password: PASSWORD }
  const user = await admin.post('/api/users', { ...body, role: 'member' })
  const { body: signedIn } = await call(url, 'POST', '/api/auth/login', { body, headers })
  const session = signedIn.accessToken as string
  const made = await call(url, 'POST', '/api/auth/me/tokens', {
    token: session,
    body: { name: 'a token', permissions: ['domains:read'] },
  })
  if (made.status !== 201) throw new Error(`No token: ${JSON.stringify(made.body)}`)
  return { id: user.body.id, session, token: made.body.token, tokenId: made.body.id }
}

interface Ending {
  end(admin: Session, victim: Victim, url: string): Promise<Answer>
  /** With what the victim calls. */
  by?: 'token'
}

const block: Ending['end'] = (admin, { id }) => admin.put(`/api/users/${id}`, { disabled: true })
const reset: Ending['end'] = (admin, { id }) =>
  admin.put(`/api/users/${id}`, { password: `a new ${PASSWORD}` })

const ENDINGS: Record<string, Ending> = {
  'a session': { end: (admin, { id }) => admin.delete(`/api/users/${id}/sessions`) },
  'who is blocked': { end: block },
  'who is blocked, by a token': { end: block, by: 'token' },
  'who is deleted': { end: (admin, { id }) => admin.delete(`/api/users/${id}`) },
  'a password that is reset': { end: reset },
  'a password that is reset, by a token': { end: reset, by: 'token' },
  'a token': {
    end: (_, { tokenId, session }, url) =>
      call(url, 'DELETE', `/api/auth/me/tokens/${tokenId}`, { token: session }),
    by: 'token',
  },
}

/** For how many milliseconds after the answer of the one the other began to serve what has ended. */
async function servedFor([one, two]: Pair, { end, by }: Ending, admin: Session): Promise<number> {
  const victim = await addVictim(admin, one)
  const [path, token] = by === 'token' ? ['/api/v1/domains', victim.token] : ['/api/auth/me', victim.session]
  const status = async () => (await call(two, 'GET', path, { token })).status
  // The second time it is remembered.
  for (let n = 0; n < 2; n++) if ((await status()) !== 200) throw new Error('It was never served')
  const answer = await end(admin, victim, one)
  if (answer.status >= 300) throw new Error(`It does not end: ${JSON.stringify(answer.body)}`)
  const ended = performance.now()
  let last = ended
  await until('it is refused', async () => {
    const begun = performance.now()
    const now = await status()
    if (now === 200) last = begun
    return now === 401
  })
  return last - ended
}

async function areRefusedSoon(t: Test, pair: Pair, times: number): Promise<void> {
  const admin = await signIn(pair[0], newAddress())
  for (const [name, ending] of Object.entries(ENDINGS)) {
    const taken: number[] = []
    for (let n = 0; n < times; n++) taken.push(await servedFor(pair, ending, admin))
    t.ok(Math.max(...taken) <= LIMIT_MS, `${name}: ${taken.join(', ')} ms`)
  }
}

void t.test('18. 19. on the other instance', async (t) => {
  await areRefusedSoon(t, await startPair(), 12)
})
