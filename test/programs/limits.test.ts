import t from 'tap'
import { newPersonalToken } from '../../plugins/security/access/personal-tokens.ts'
import { call, startApp, type Client } from '../helpers/app.ts'

const { app, admin } = await startApp(t, { environment: { RATE_LIMIT: '30' } })

/** Calls with a new token of the client's. */
async function byToken(client: Client, permissions: string[]) {
  const { body } = await client.post('/api/auth/me/tokens', { name: 'a program', permissions })
  const headers = { authorization: `Bearer ${body.token}` }
  return (url: string, remoteAddress = '192.0.2.1', payload?: object, more: object = {}) =>
    call(app, {
      url,
      remoteAddress,
      headers: { ...headers, ...more },
      ...(payload && { method: 'POST', payload }),
    })
}

void t.test('each token has its own limit, and each answer tells what is left of it', async (t) => {
  const [busy, calm] = [await byToken(admin, ['domains:read']), await byToken(admin, ['domains:read'])]
  const first = await busy('/api/v1/domains', '192.0.2.2')
  t.equal(first.headers['ratelimit-policy'], '"requests";q=30;w=60')
  t.match(first.headers['ratelimit'], /^"requests";r=29;t=\d+$/)
  t.notOk('ratelimit' in (await admin.get('/api/domains')).headers, 'of the Open API alone')
  let last = first
  for (let i = 0; i < 30; i++) last = await busy('/api/v1/domains', `192.0.2.${10 + i}`)
  t.match(last, { status: 429, body: { code: 'rate_limited' } }, 'from whatever address')
  t.match(last.headers['ratelimit'], /^"requests";r=0;t=\d+$/)
  t.ok(Number(last.headers['retry-after']) > 0)
  t.equal((await calm('/api/v1/domains')).status, 200, 'another token has its own')
  t.equal((await admin.get('/api/domains')).status, 200, 'and so has its user')
})

void t.test('a token that is none counts for its address: guesses are not free', async (t) => {
  const guess = () =>
    call(app, {
      url: '/api/v1/domains',
      remoteAddress: '198.51.100.1',
      headers: { authorization: `Bearer ${newPersonalToken()}` },
    })
  let last = await guess()
  for (let i = 0; i < 30; i++) last = await guess()
  t.equal(last.status, 429)
})

void t.test('what asks other servers has a limit of its own', async (t) => {
  const ask = await byToken(admin, ['domains:read'])
  const url = '/api/v1/domains/check-expiry-preview'
  await ask(url, '192.0.2.3', {})
  const answer = await ask(url, '192.0.2.3', {})
  t.equal(answer.headers['ratelimit-policy'], '"lookups";q=20;w=60')
})

void t.test('pages of other sites may read the limit', async (t) => {
  const { headers } = await call(app, {
    url: '/api/v1/domains',
    headers: { origin: 'http://localhost:3000' },
  })
  t.match(String(headers['access-control-expose-headers']), /RateLimit, RateLimit-Policy/)
})

void t.test('an Idempotency-Key belongs to its token', async (t) => {
  const tokens = [await byToken(admin, ['assignments:write']), await byToken(admin, ['assignments:write'])]
  const body = { domainId: '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10', permission: 'read', username: 'root' }
  const answers = []
  for (const token of [tokens[0], tokens[0], tokens[1]]) {
    answers.push(await token?.('/api/v1/assignments', '192.0.2.4', body, { 'idempotency-key': 'one' }))
  }
  t.same(
    answers.map((answer) => [answer?.status, answer?.headers['idempotency-replayed']]),
    [
      [404, undefined],
      [404, 'true'],
      [404, undefined],
    ],
  )
})
