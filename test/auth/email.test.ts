import t from 'tap'
import { call, PASSWORD, startApp, type Answer, type Client } from '../helpers/app.ts'
import { startMailbox } from '../helpers/mailbox.ts'

const mailbox = await startMailbox(t)
const { app, admin, addUser, signIn, database } = await startApp(t, { environment: mailbox.environment })

const change = (who: Client, email: unknown, password: unknown = PASSWORD): Promise<Answer> =>
  who.put('/api/auth/me/email', { email, password })
const confirm = (token: string) =>
  call(app, { method: 'POST', url: '/api/auth/me/email/confirm', payload: { token } })

async function linkTo(email: string): Promise<string> {
  const { text } = await mailbox.next(email)
  return /^http:\/\/localhost:3000\/confirm-email\?token=([\w-]{43})$/m.exec(text)?.[1] ?? ''
}

let count = 0
async function person(): Promise<Client & { username: string }> {
  const username = `mailer${count++}`
  await addUser(username)
  return { ...(await signIn(username)), username }
}

const own = async (who: Client) => (await who.get('/api/auth/me')).body.user

void t.test('the new address counts when its link was followed, and then signs in', async (t) => {
  const one = await person()
  const answer = await change(one, 'First@Example.com')
  t.match(answer, { status: 200, body: { confirmationSent: true, user: { email: null } } })
  t.equal((await confirm(await linkTo('first@example.com'))).status, 204)
  t.match(await own(one), { email: 'first@example.com', emailVerified: true })
  const payload = { username: 'first@example.com', password: PASSWORD }
  t.equal((await call(app, { method: 'POST', url: '/api/auth/login', payload })).status, 200)
  t.match((await mailbox.next('first@example.com')).headers, { subject: /New sign-in/ })

  t.equal((await change(one, 'second@example.com')).status, 200)
  t.match(await own(one), { email: 'first@example.com' })
  const token = await linkTo('second@example.com')
  t.equal((await confirm(token)).status, 204)
  t.match(await own(one), { email: 'second@example.com', emailVerified: true })
  t.match(
    (await mailbox.next('first@example.com')).headers,
    { subject: /has changed/ },
    'the old one is told',
  )
  t.match(await confirm(token), { status: 400, body: { errors: [{ path: '/token' }] } }, 'once')
})

void t.test('4. the current password is needed', async (t) => {
  const one = await person()
  t.match(await change(one, 'x@example.com', 'wrong'), {
    status: 400,
    body: { errors: [{ path: '/password' }] },
  })
  t.match(await one.put('/api/auth/me/email', { email: 'x@example.com' }), { status: 400 })
})

void t.test('69. one plain address and nothing else', async (t) => {
  const one = await person()
  for (const email of [
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com,b@example.com',
    'a@example.com b@example.com',
    'Ada <a@example.com>',
    '"a b"@example.com',
    'a@b@example.com',
    'a@example..com',
    'a@-example.com',
    '.a@example.com',
    'a',
    `a@${'b'.repeat(64)}.example`,
    `${'a'.repeat(65)}@example.com`,
    '',
    null,
    7,
    ['a@example.com'],
  ]) {
    t.equal((await change(one, email)).status, 400, JSON.stringify(email))
  }
})

void t.test('an address of another account: the same answer, and its owner is told', async (t) => {
  const [owner, other] = [await person(), await person()]
  await change(owner, 'owned@example.com')
  await confirm(await linkTo('owned@example.com'))
  const taken = await change(other, 'owned@example.com')
  const free = await change(other, 'free@example.com')
  t.same([taken.status, taken.body], [free.status, free.body])
  const { headers, text } = await mailbox.next('owned@example.com')
  t.match(headers, { subject: /entered again/ })
  t.notMatch(text, /token=/)
})

void t.test('54. two who ask for one address: the first who proves it has it', async (t) => {
  const [one, two] = [await person(), await person()]
  await change(one, 'shared@example.com')
  await change(two, 'shared@example.com')
  const tokens = [await linkTo('shared@example.com'), await linkTo('shared@example.com')]
  const answers = await Promise.all(tokens.map(confirm))
  t.equal(answers.filter(({ status }) => status === 204).length, 1)
  t.equal(answers.filter(({ status }) => status === 409).length, 1)
})

void t.test('a newer request ends the link of the one before', async (t) => {
  const one = await person()
  await change(one, 'typo@example.com')
  const token = await linkTo('typo@example.com')
  await change(one, 'right@example.com')
  t.equal((await confirm(token)).status, 400)
  t.equal((await confirm(await linkTo('right@example.com'))).status, 204)
})

void t.test('an address that an administrator gives waits for its holder too', async (t) => {
  const one = await person()
  const answer = await admin.put(`/api/users/${one.userId}`, { email: 'given@example.com' })
  t.match(answer.body, { email: 'given@example.com', emailVerified: false })
  t.equal((await confirm(await linkTo('given@example.com'))).status, 204)
  t.match(await own(one), { email: 'given@example.com', emailVerified: true })
})

void t.test('78. each step is in the audit trail', async (t) => {
  const one = await person()
  await change(one, 'trail@example.com')
  await confirm(await linkTo('trail@example.com'))
  const { body } = await admin.get(`/api/audit?target=${one.userId}&action=user.*`)
  t.match(body.entries, [
    { action: 'user.email_changed', before: { email: null }, after: { email: 'trail@example.com' } },
    { action: 'user.email_change_requested', actor: { id: one.userId } },
  ])
})

void t.test('without e-mail it changes at once, unverified', async (t) => {
  const plain = await startApp(t)
  await plain.addUser('ada')
  const ada = await plain.signIn('ada')
  t.match(await change(ada, 'Ada@example.com'), {
    status: 200,
    body: { confirmationSent: false, user: { email: 'ada@example.com', emailVerified: false } },
  })
  t.match(await change(plain.admin, 'ada@example.com'), { status: 409, body: { field: 'email' } })
  const payload = { username: 'ada@example.com', password: PASSWORD }
  const answer = await call(plain.app, { method: 'POST', url: '/api/auth/login', payload })
  t.equal(answer.status, 401, 'an unverified address signs nobody in')
})

void t.test('57. a personal token changes no address', async (t) => {
  const one = await person()
  const { body } = await one.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] })
  const headers = { authorization: `Bearer ${body.token}` }
  const payload = { email: 'token@example.com', password: PASSWORD }
  t.equal((await call(app, { method: 'PUT', url: '/api/auth/me/email', payload, headers })).status, 401)
  t.equal(
    (
      await database.db
        .selectFrom('mail_tokens')
        .selectAll()
        .where('email', '=', 'token@example.com')
        .execute()
    ).length,
    0,
  )
})

void t.test('the link of the mail leads to a page, whose button confirms the address', async (t) => {
  const one = await person()
  await change(one, 'page@example.com')
  const url = `/confirm-email?token=${await linkTo('page@example.com')}`
  const page = await call(app, { url })
  t.equal(page.status, 200)
  t.match(page.headers['content-type'], /^text\/html/)
  t.match(page.headers['content-security-policy'], /default-src 'none'.*form-action 'self'/)
  t.match(page.body, /<form method="post"><button>/)
  t.match(await own(one), { email: null }, 'which whoever only looks has not pressed')

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const press = (to: string) => call(app, { method: 'POST', url: to, headers, payload: '' })
  t.match(await press(url), { status: 200, body: /is confirmed/ })
  t.match(await own(one), { email: 'page@example.com', emailVerified: true })
  t.match(await press(url), { status: 400, body: /is not valid/ }, 'once')
  t.match(await press('/confirm-email'), { status: 400, body: /is not valid/ })
})

void t.test('86. nobody fills the mailbox of another, nor writes to many', async (t) => {
  const [owner, one, two] = [await person(), await person(), await person()]
  const email = 'victim@example.com'
  await change(owner, email)
  await confirm(await linkTo(email))
  await Promise.all([one, two].flatMap((who) => Array.from({ length: 5 }, () => change(who, email))))
  const told = () =>
    mailbox.received.filter(
      ({ to, headers }) => to.includes(email) && /entered again/.test(headers['subject'] ?? ''),
    )
  for (let i = 0; i < 5; i++) t.equal((await change(one, `stranger${i}@example.com`)).status, 200)
  t.match(await change(one, 'one-more@example.com'), { status: 429, body: { code: 'rate_limited' } })
  await mailbox.next('stranger4@example.com')
  t.equal(told().length, 5, 'six in an hour, the link to its owner included')
})
