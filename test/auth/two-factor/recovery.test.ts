import { sql } from 'kysely'
import t from 'tap'
import { PASSWORD, startApp } from '../../helpers/app.ts'
import { startMailbox } from '../../helpers/mailbox.ts'
import { actionsOf, addTotp, login, setEmail, tempToken, verify, withTotp } from './steps.ts'

const mailbox = await startMailbox(t)
const service = await startApp(t, { environment: mailbox.environment })
const { app, database, addUser, signIn } = service

const WRONG = { status: 401, body: { code: 'invalid_credentials' } }

const recover = async (username: string, code: string | undefined) =>
  verify(service, await tempToken(service, username), { method: 'recovery', code })

void t.test('29. ten codes, each good once, however it is typed', async (t) => {
  const { client, userId, recoveryCodes } = await withTotp(service, 'ada')
  t.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) t.match(code, /^(?:[2-9a-z]{4}-){3}[2-9a-z]{4}$/)
  const [first = '', second = '', third = ''] = recoveryCodes
  t.match(await recover('ada', first), { status: 200, body: { accessToken: String, user: { id: userId } } })
  t.match(await recover('ada', first), WRONG)
  t.match(await recover('ada', second.toUpperCase().replaceAll('-', ' ')), { status: 200 })
  t.match(await recover('ada', third.replaceAll('-', '')), { status: 200 })
  t.match(await recover('ada', second), WRONG)
  t.match(await recover('ada', 'aaaa-aaaa-aaaa-aaaa'), WRONG)
  t.match(await client.get('/api/2fa'), { body: { recoveryCodesLeft: 7, methods: ['totp'] } })
  const actions = await actionsOf(service, userId)
  t.equal(actions.filter((action) => action === 'auth.recovery_code_used').length, 3)
})

void t.test('29. of many uses of one code at the same time one gets in', async (t) => {
  const { recoveryCodes } = await withTotp(service, 'parallel')
  const tokens = await Promise.all(Array.from({ length: 10 }, () => tempToken(service, 'parallel')))
  const answers = await Promise.all(
    tokens.map((token) => verify(service, token, { method: 'recovery', code: recoveryCodes[0] })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal(answers.filter(({ status }) => status === 401).length, 9)
})

void t.test('29. a code is worth nothing for another account', async (t) => {
  const { recoveryCodes } = await withTotp(service, 'mine')
  await withTotp(service, 'yours')
  t.match(await recover('yours', recoveryCodes[0]), WRONG)
  t.match(await recover('mine', recoveryCodes[0]), { status: 200 })
})

void t.test('29. new codes end the old ones', async (t) => {
  const { client, userId, recoveryCodes } = await withTotp(service, 'renew')
  const { status, body } = await client.post('/api/2fa/recovery-codes', { password: PASSWORD })
  t.equal(status, 200)
  t.equal(new Set([...body.recoveryCodes, ...recoveryCodes]).size, 20)
  t.match(await recover('renew', recoveryCodes[0]), WRONG)
  t.match(await recover('renew', body.recoveryCodes[0]), { status: 200 })
  t.ok((await actionsOf(service, userId)).includes('user.recovery_codes_renewed'))
})

void t.test('29. only hashes are stored', async (t) => {
  const { recoveryCodes } = await withTotp(service, 'hashed')
  const { rows } = await sql<{
    text: string
  }>`select recovery_codes::text as text from recovery_codes`.execute(database.db)
  const dump = rows.map(({ text }) => text).join('\n')
  for (const code of recoveryCodes) {
    for (const form of [code, code.replaceAll('-', '')]) {
      t.notOk(dump.includes(form))
      t.notOk(dump.includes(Buffer.from(form).toString('hex')))
      t.notOk(dump.includes(app.secrets.digest(form).toString('hex')), 'not the digest of the code alone')
    }
  }
})

void t.test('without a second factor there are none', async (t) => {
  await addUser('none')
  const client = await signIn('none')
  t.match(await client.post('/api/2fa/recovery-codes'), { status: 409 })
  const { recoveryCodes } = await addTotp(client)
  t.match(await client.delete('/api/2fa/totp'), { status: 204 })
  const { rows } = await sql`select from recovery_codes where user_id = ${client.userId}`.execute(database.db)
  t.equal(rows.length, 0)
  const again = await addTotp(client)
  t.equal(again.recoveryCodes.length, 10)
  t.match(await recover('none', recoveryCodes[0]), WRONG)
})

void t.test('who loses the phone gets in by a code, takes off the factor, and is told', async (t) => {
  const { userId, recoveryCodes } = await withTotp(service, 'lost')
  await setEmail(service, userId, 'lost@example.com')
  const { body } = await recover('lost', recoveryCodes[9])
  // In any order: several are sent at a time.
  const told = [await mailbox.next('lost@example.com'), await mailbox.next('lost@example.com')]
  const subjects = new Set(told.map(({ headers }) => headers['subject']))
  t.same(
    subjects,
    new Set(['A recovery code was used to sign in to your account', 'New sign-in to your account']),
  )
  const headers = { authorization: `Bearer ${body.accessToken}` }
  const removed = await app.inject({ method: 'DELETE', url: '/api/2fa/totp', headers })
  t.equal(removed.statusCode, 204, 'that sign-in is fresh')
  const off = await mailbox.next('lost@example.com')
  t.match(off.headers['subject'], 'The authenticator app was removed from your account')
  t.match(await login(service, 'lost'), { status: 200, body: { accessToken: String } })
})
