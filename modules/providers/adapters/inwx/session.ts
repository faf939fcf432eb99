import { Type } from '@sinclair/typebox'
import { createGuardrails, generateSync } from 'otplib'
import type { AdapterContext } from '../../context.ts'
import { ProviderError } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Credentials } from './index.ts'

const STEP_SECONDS = 30
/** Secrets of 16 characters (10 bytes) are common. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 })

/** The login that all adapters of an account share. */
interface Session {
  cookie: string | null
  /** A login in progress. */
  login: Promise<string> | null
  /** Time step of the last code used, counted from 1970. */
  lastStep: number
}

const newSession = (): Session => ({ cookie: null, login: null, lastStep: 0 })

const LoggedIn = Type.Object({
  resData: Type.Object({ tfa: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])) }),
})

/** Authenticates an `Api` by the cookie of a session. `api`: a client without a session. */
export function sessionOf(credentials: Credentials, api: ApiClient) {
  const { context } = api
  const session = context.state(newSession)
  let isNew = false
  return {
    async authenticate(): Promise<Record<string, string>> {
      isNew = session.cookie === null
      // Two logins at the same time would use the same code, and INWX takes each code once.
      while (session.login !== null) await session.login.catch(() => null)
      session.cookie ??= await begin(session, () => logIn(credentials, api, session))
      return { cookie: session.cookie }
    },
    renew(): boolean {
      session.cookie = null
      return !isNew
    },
  }
}

async function begin(session: Session, logIn: () => Promise<string>): Promise<string> {
  session.login = logIn()
  try {
    return await session.login
  } finally {
    session.login = null
  }
}

async function logIn(
  { username, password, totpSecret = '' }: Credentials,
  api: ApiClient,
  session: Session,
): Promise<string> {
  const login = { method: 'account.login', params: { user: username, pass: password, lang: 'en' } }
  const { headers, body } = await api.read('/', { method: 'POST', json: login, schema: LoggedIn })
  const cookie = cookiesOf(headers['set-cookie'] ?? '')
  if (cookie === '') throw api.malformed()
  const { tfa } = body.resData
  if (tfa === undefined || tfa === null || Number(tfa) === 0) return cookie
  if (totpSecret === '')
    throw new ProviderError(
      'auth',
      'INWX requires a second factor for this account; enter its secret as totpSecret',
    )
  const tan = await nextCode(totpSecret, session, api.context)
  const unlock = { method: 'account.unlock', params: { tan } }
  await api.read('/', { method: 'POST', json: unlock, headers: { cookie } })
  return cookie
}

/** Name and value of each cookie. Several are joined by commas, which also occur in their dates. */
const cookiesOf = (header: string): string =>
  header
    .split(/,\s*(?=[^;,\s]+=)/)
    .map((cookie) => (cookie.split(';')[0] ?? '').trim())
    .filter((cookie) => cookie !== '')
    .join('; ')

/** An unused code, because each is accepted once (RFC 6238 section 5.2). Waits for the next one if necessary. */
async function nextCode(secret: string, session: Session, context: AdapterContext): Promise<string> {
  const { clock, deadline, signal } = context
  const step = Math.max(Math.floor(clock.now() / 1000 / STEP_SECONDS), session.lastStep + 1)
  const begins = step * STEP_SECONDS * 1000
  const pause = begins - clock.now()
  if (begins >= deadline)
    throw new ProviderError(
      'rate_limited',
      'INWX accepts each code of the second factor only once; retry later',
      {
        retryAfter: Math.ceil(pause / 1000),
      },
    )
  session.lastStep = step
  if (pause > 0) await clock.sleep(pause, signal)
  return codeOf(secret, step)
}

function codeOf(secret: string, step: number): string {
  try {
    const plain = secret.replaceAll(/[ =]/g, '').toUpperCase()
    return generateSync({ secret: plain, epoch: step * STEP_SECONDS, guardrails })
  } catch {
    // The error may quote the secret.
    throw new ProviderError('auth', 'totpSecret is not the secret of a second factor; it must be base32')
  }
}
