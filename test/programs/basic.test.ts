import pino from 'pino'
import t from 'tap'
import { newPersonalToken } from '../../plugins/security/access/personal-tokens.ts'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { call, startApp } from '../helpers/app.ts'

const lines: string[] = []
const log = pino(loggerOptions('trace'), { write: (line) => void lines.push(line) })

const { app, admin } = await startApp(t, {
  log,
  environment: { RATE_LIMIT: '4' },
  extend(app) {
    app.get(
      '/test/basic',
      {
        config: { access: 'api', permission: 'ddns:update', basic: true },
        schema: { operationId: 'testBasic', tags: ['Open API'], summary: 'A test' },
      },
      (request) => ({ username: request.principal.username, tokenId: request.principal.token?.id }),
    )
  },
})

const { id, token } = (
  await admin.post('/api/auth/me/tokens', { name: 'router', permissions: ['ddns:update'] })
).body as { id: string; token: string }

const basic = (pair: string, scheme = 'Basic') => `${scheme} ${Buffer.from(pair).toString('base64')}`

// Each from an address of its own, as the limit is small.
let host = 0
const get = (authorization: string | undefined, { url = '/test/basic', headers = {}, from = '' } = {}) =>
  call(app, {
    url,
    remoteAddress: from || `192.0.2.${++host}`,
    headers: { ...headers, ...(authorization && { authorization }) },
  })

void t.test('99. HTTP Basic takes the name of the owner and a personal token', async (t) => {
  for (const authorization of [basic(`root:${token}`), basic(`ROOT:${token}`, 'basic'), `Bearer ${token}`]) {
    t.match(await get(authorization), { status: 200, body: { username: 'root', tokenId: id } })
  }
})

void t.test('99. and nothing else, which 401 says by a challenge', async (t) => {
  const bad = [
    undefined,
    'Basic',
    'Basic !',
    basic('root'),
    basic(`:${token}`),
    basic(`other:${token}`),
    basic(`root:${newPersonalToken()}`),
    basic('root:correct horse battery staple'),
    basic(`root:${admin.accessToken}`),
  ]
  for (const authorization of bad) {
    t.match(await get(authorization), {
      status: 401,
      body: { code: 'unauthenticated' },
      headers: { 'www-authenticate': 'Basic realm="Zonekeeper"' },
    })
  }
  const elsewhere = await get(basic(`root:${token}`), { url: '/api/v1/domains' })
  t.match(elsewhere, { status: 401, headers: { 'www-authenticate': 'Bearer' } }, 'where it is not offered')
})

void t.test('99. not from the pages of other sites, where a browser sends it by itself', async (t) => {
  // One with a limit of its own, which none of the calls before has used.
  const body = { name: 'browser', permissions: ['ddns:update'] }
  const { token: fresh } = (await admin.post('/api/auth/me/tokens', body)).body as { token: string }
  const from = (site: string) => get(basic(`root:${fresh}`), { headers: { 'sec-fetch-site': site } })
  t.equal((await from('cross-site')).status, 401)
  t.equal((await from('same-site')).status, 401)
  t.equal((await from('none')).status, 200)
})

void t.test('tries count for the address they come from', async (t) => {
  for (let n = 0; n < 4; n++) {
    t.equal((await get(basic(`user${n}:${newPersonalToken()}`), { from: '198.51.100.1' })).status, 401)
  }
  t.match(await get(basic(`root:${token}`), { from: '198.51.100.1' }), { status: 429 })
})

void t.test('no credentials are logged', (t) => {
  const text = lines.join('')
  t.match(text, '/test/basic')
  t.notMatch(text, token)
  t.notOk(text.includes(basic(`root:${token}`).slice('Basic '.length)))
  t.end()
})

void t.test('the description says where it is taken', (t) => {
  const { paths, components } = app.swagger() as unknown as {
    paths: Record<string, { get: { security: object[] } }>
    components: { securitySchemes: Record<string, object> }
  }
  t.match(components.securitySchemes['basicToken'], { type: 'http', scheme: 'basic' })
  t.match(paths['/test/basic']?.get.security, [
    { personalToken: [String] },
    { accessToken: { length: 0 } },
    { basicToken: [String] },
  ])
  t.end()
})
