import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { call, PASSWORD, type Answer, type Client, type TestApp } from '../../helpers/app.ts'

const STEP_MS = 30_000

/** Waits until no step of time ends within the next seconds: a code of the step before stays one. */
export async function calm(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < 3_000) await sleep(left + 10)
}

/** What an authenticator app shows whose clock is off by that many seconds. */
export const codeOf = (secret: string, offset = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + offset })

export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

let addresses = 0

/** The first step of a sign-in. */
export const login = (
  { app }: Pick<TestApp, 'app'>,
  username: string,
  more: { rememberMe?: boolean; password?: string } = {},
): Promise<Answer> =>
  call(app, {
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: `10.9.${Math.floor(addresses / 250)}.${addresses++ % 250}`,
    payload: { username, password: PASSWORD, ...more },
  })

export async function tempToken(service: Pick<TestApp, 'app'>, username: string): Promise<string> {
  const { body } = await login(service, username)
  if (typeof body.tempToken !== 'string') throw new Error(`No second step: ${JSON.stringify(body)}`)
  return body.tempToken
}

/** Calls a route with the temporary token. */
export const withToken = (
  { app }: Pick<TestApp, 'app'>,
  token: string,
  url: string,
  payload?: object,
): Promise<Answer> =>
  call(app, {
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })

export const verify = (service: Pick<TestApp, 'app'>, token: string, payload: object): Promise<Answer> =>
  withToken(service, token, '/api/2fa/verify', payload)

/** Turns on an authenticator app, by the code of the step before: that of now still counts. */
export async function addTotp(client: Client): Promise<{ secret: string; recoveryCodes: string[] }> {
  await calm()
  const { body: setup } = await client.post('/api/2fa/totp/setup')
  const { status, body } = await client.post('/api/2fa/totp/enable', { code: codeOf(setup.secret, -30) })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { secret: setup.secret, recoveryCodes: body.recoveryCodes }
}

/** A member with an authenticator app. */
export async function withTotp(service: TestApp, username: string) {
  const userId = await service.addUser(username)
  const client = await service.signIn(username)
  return { userId, client, ...(await addTotp(client)) }
}

export const setEmail = ({ database }: TestApp, userId: string, email: string, verified = true) =>
  database.db.updateTable('users').set({ email, email_verified: verified }).where('id', '=', userId).execute()

/** Makes all sessions of the user older than what passes as a fresh sign-in. */
export const ageSessions = ({ database }: TestApp, userId: string) =>
  database.db
    .updateTable('sessions')
    .set({ created_at: sql`now() - interval '11 minutes'` })
    .where('user_id', '=', userId)
    .execute()

/** Actions in the audit trail about the user, the oldest first. */
export async function actionsOf({ database }: TestApp, userId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('audit')
    .select('action')
    .where('target_id', '=', userId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
