import { v7 as uuidv7 } from 'uuid'
import { insertSignInChallenge } from '../../../modules/auth/two-factor/challenge-queries.ts'
import type { Answer, Client, TestApp } from '../../helpers/app.ts'
import { call } from '../../helpers/app.ts'
import type { Authenticator, Twist } from '../../helpers/authenticator.ts'

export const ORIGIN = 'https://dns.example.com'
export const ENVIRONMENT = { SITE_URL: ORIGIN }

const OPTIONS = '/api/2fa/passkeys/options'

/** The whole registration; the answer of its last call. */
export async function register(
  client: Client,
  authenticator: Authenticator,
  { name = 'Phone', twist, ...more }: { name?: string; twist?: Twist; password?: string } = {},
): Promise<Answer> {
  const { body: options } = await client.post(OPTIONS)
  return client.post('/api/2fa/passkeys', { name, credential: authenticator.create(options, twist), ...more })
}

/** Sign-in by a passkey alone; the answer of its last call. */
export async function signInAlone(
  { app }: Pick<TestApp, 'app'>,
  authenticator: Authenticator,
  { twist, ...more }: { twist?: Twist; rememberMe?: boolean } = {},
): Promise<Answer> {
  const options = await call(app, { method: 'POST', url: '/api/auth/passkey/options' })
  return signInWith({ app }, authenticator.get(options.body, twist), more)
}

export const signInWith = (
  { app }: Pick<TestApp, 'app'>,
  credential: unknown,
  more: { rememberMe?: boolean } = {},
): Promise<Answer> =>
  call(app, { method: 'POST', url: '/api/auth/passkey/login', payload: { credential, ...more } })

/** Somebody at the second step of signing in, as the first step leaves it. */
export async function atSecondStep({ app, database }: TestApp, userId: string) {
  const challengeId = uuidv7()
  await insertSignInChallenge(database.db, { id: challengeId, user_id: userId, remember: false }, 60)
  const token = app.tokens.sign('temp', userId, challengeId)
  return {
    pending: { userId, challengeId },
    options: () =>
      call(app, {
        method: 'POST',
        url: '/api/2fa/passkey/options',
        headers: { authorization: `Bearer ${token}` },
      }),
  }
}

/** The actions in the audit trail about the user, the oldest first. */
export async function auditOf({ database }: TestApp, userId: string) {
  const rows = await database.db
    .selectFrom('audit')
    .select(['action', 'actor_id', 'before', 'after'])
    .where('target_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.filter(({ action }) => /passkey|login/.test(action))
}

/** Ages the sessions of the user, so that none of them is fresh. */
export const ageSessions = ({ database }: TestApp, userId: string) =>
  database.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', userId)
    .execute()

/** Of answers that came in any order. */
export const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
