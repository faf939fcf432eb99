import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newPersonalToken } from '../../../plugins/security/access/personal-tokens.ts'
import { call, startApp } from '../../helpers/app.ts'
import { isProblem } from '../../helpers/problem.ts'
import { startZone } from '../../helpers/zone.ts'

/* Whoever has valid credentials does not pay for the guesses of others at their address. */

const LIMIT = 40
const { admin, database } = await startZone(t)
const { app } = await startApp(t, { database, environment: { RATE_LIMIT: String(LIMIT) } })

const newToken = async (permissions = ['domains:read', 'acme:challenge', 'ddns:update']) =>
  (await admin.post('/api/auth/me/tokens', { name: 'fresh', permissions })).body.token as string
const ask = (token: string, remoteAddress: string, url = '/api/v1/domains') =>
  call(app, { url, remoteAddress, headers: { authorization: `Bearer ${token}` } })

void t.test('63. after false tokens a fresh valid one is let in, and the false ones are not', async (t) => {
  const from = '192.0.2.40'
  for (let n = 0; n < LIMIT; n++) t.equal((await ask(newPersonalToken(), from)).status, 401)
  isProblem(t, await ask(newPersonalToken(), from), 429, 'rate_limited')
  isProblem(t, await ask('zkp_nonsense', from), 429, 'rate_limited')
  const token = await newToken()
  t.match(
    await ask(token, from),
    { status: 200, headers: { ratelimit: /;r=39;/ } },
    'with a limit of its own',
  )
  isProblem(t, await ask(newPersonalToken(), from), 429, 'rate_limited')

  const basic = (user: string, password: string) =>
    call(app, {
      url: '/nic/update?hostname=host.example.com',
      remoteAddress: from,
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    })
  t.equal((await basic('root', newPersonalToken())).status, 429)
  t.not((await basic('root', await newToken())).status, 429, 'nor by HTTP Basic')
})

void t.test('63. a valid token has its own limit from the first request on', async (t) => {
  const token = await newToken()
  for (let n = 0; n < LIMIT; n++) t.equal((await ask(token, '192.0.2.41')).status, 200)
  isProblem(t, await ask(token, '192.0.2.42'), 429, 'rate_limited')
  t.equal((await call(app, { url: '/api/site', remoteAddress: '192.0.2.41' })).status, 200)
})

void t.test('63. many guesses at once are bounded too', async (t) => {
  const guesses = Array.from({ length: 3 * LIMIT }, () => ask(newPersonalToken(), '192.0.2.43'))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 401).length, LIMIT)
  t.equal(statuses.filter((status) => status === 429).length, 2 * LIMIT)
})

void t.test('63. registrations of acme-dns count by themselves', async (t) => {
  const from = '192.0.2.44'
  const made = await call(app, {
    method: 'POST',
    url: '/api/v1/acme-dns/example.com/register',
    headers: { authorization: `Bearer ${await newToken()}` },
  })
  t.equal(made.status, 201)
  const { username, password, subdomain } = made.body as Record<string, string>
  const update = (key = password) =>
    call(app, {
      method: 'POST',
      url: '/api/v1/acme-dns/update',
      remoteAddress: from,
      headers: { 'x-api-user': username, 'x-api-key': key },
      payload: { subdomain, txt: randomBytes(32).toString('base64url') },
    })
  for (let n = 0; n < LIMIT; n++) t.equal((await update('x'.repeat(40))).status, 401)
  t.equal((await update('x'.repeat(40))).status, 429)
  t.equal((await update()).status, 200)
})
