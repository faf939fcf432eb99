import { sql } from 'kysely'
import t from 'tap'
import { call, PASSWORD, startApp, type Answer, type Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { calm, codeOf } from './two-factor/steps.ts'

/* What began before an administrator reset the account must not be done after it. */

const { app, addUser, signIn, database } = await startApp(t)
const { db } = database

const RESET =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const waits = async () => {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

/** The answer to a request that is past its checks when a reset comes before it. */
const overtaken = async (who: Client, begin: () => Promise<Answer>): Promise<Answer> => {
  const answer = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', who.userId).forUpdate().execute()
    const answer = begin()
    await until('the request waits for the account', waits)
    await trx.updateTable('users').set({ password_hash: RESET }).where('id', '=', who.userId).execute()
    await trx.deleteFrom('sessions').where('user_id', '=', who.userId).execute()
    return { answer }
  })
  return answer.answer
}

const cases: Record<string, (who: Client) => Promise<() => Promise<Answer>>> = {
  'a new password': async (who) => () =>
    who.put('/api/auth/me/password', { oldPassword: PASSWORD, newPassword: 'a different battery staple' }),
  'a new address': async (who) => () =>
    who.put('/api/auth/me/email', { email: 'overtaken@example.com', password: PASSWORD }),
  'an authenticator app': async (who) => {
    const { body } = await who.post('/api/2fa/totp/setup')
    await calm()
    return () => who.post('/api/2fa/totp/enable', { code: codeOf(body.secret), password: PASSWORD })
  },
  'a personal token': async (who) => () =>
    who.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] }),
  'a passkey given up': async (who) => {
    const id = crypto.randomUUID()
    await db
      .insertInto('passkeys')
      .values({
        id,
        user_id: who.userId,
        name: 'key',
        credential_id: id,
        public_key: Buffer.from('key'),
        counter: 0,
        transports: [],
        backed_up: false,
        user_verified: true,
        last_used_at: null,
      })
      .execute()
    return () =>
      call(app, {
        method: 'DELETE',
        url: `/api/2fa/passkeys/${id}`,
        headers: { authorization: `Bearer ${who.accessToken}` },
        payload: { password: PASSWORD },
      })
  },
}

let users = 0
for (const [what, prepare] of Object.entries(cases)) {
  void t.test(`10. overtaken by a reset: ${what}`, async (t) => {
    const username = `person${users++}`
    await addUser(username)
    const who = await signIn(username)
    const begin = await prepare(who)
    const everything = async () =>
      JSON.stringify([
        await db.selectFrom('users').select(['email', 'totp_enabled']).where('id', '=', who.userId).execute(),
        await db.selectFrom('passkeys').select('id').where('user_id', '=', who.userId).execute(),
        await db.selectFrom('personal_tokens').select('id').where('user_id', '=', who.userId).execute(),
      ])
    const before = await everything()
    t.match(await overtaken(who, begin), { status: 401, body: { code: 'unauthenticated' } })
    t.equal(await everything(), before)
    const { password_hash: hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', who.userId)
      .executeTakeFirstOrThrow()
    t.equal(hash, RESET)
  })
}
