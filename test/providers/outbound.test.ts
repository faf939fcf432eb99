import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS, startFake } from '../helpers/zone.ts'
import { startServer, type SimulatorAnswer } from '../conformance/simulators/server.ts'

/* What users can make the service call, and what they get to see of it. */

/** A server that is no PowerDNS, and always gives this answer. */
async function serve(t: Test, answer: SimulatorAnswer) {
  const server = await startServer(() => answer)
  t.teardown(() => server.close())
  return server
}

/** A service, and what its test route says of the server at an address. */
async function start(t: Test, allow: string, providerBudgetMs?: number) {
  const { app, admin } = await startApp(t, {
    environment: { OUTBOUND_ALLOW: allow },
    ...(providerBudgetMs !== undefined && { providerBudgetMs }),
  })
  const configure = async (apiUrl: string, apiKey = 'key') => {
    const credentials = { apiUrl, apiKey }
    const made = await admin.post('/api/provider-configs', { providerId: POWERDNS, name: 'x', credentials })
    return idOf(made)
  }
  const tried = async (apiUrl: string, apiKey?: string) =>
    (await admin.post(`/api/provider-configs/${await configure(apiUrl, apiKey)}/test`)).body
  const tries = async () => {
    const { values } = await app.metrics.providerCalls.get()
    return values.reduce((sum, { value }) => sum + value, 0)
  }
  return { admin, configure, tried, tries }
}

void t.test('70. a private address is not called, and the answer says what an operator can do', async (t) => {
  const { admin, configure, tried, tries } = await start(t, '')
  const server = await serve(t, { status: 200 })
  const { port } = new URL(server.url)
  const own = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', 'localhost']
  const inside = ['10.0.0.1', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[64:ff9b::7f00:1]', '0.0.0.0']
  const tryHost = async (host: string) => {
    const answer = await tried(`http://${host}`)
    t.match(answer, { success: false, code: 'provider_error', error: /OUTBOUND_ALLOW/ }, host)
  }
  await Promise.all([...own.map((host) => `${host}:${port}`), ...inside].map(tryHost))
  t.equal(await tries(), own.length + inside.length, 'each once: another try would end the same')
  const providerConfigId = await configure(server.url)
  for (const refused of [
    await admin.get(`/api/provider-configs/${providerConfigId}/zones`),
    await admin.post('/api/domains', { name: 'example.com', providerConfigId }),
  ]) {
    t.match(refused, { status: 502, body: { code: 'provider_error', detail: /OUTBOUND_ALLOW/ } })
  }
  t.same(server.requests, [], 'nothing was called')
})

void t.test('70. only http and https addresses can be stored', async (t) => {
  const { admin } = await start(t, '127.0.0.0/8')
  for (const apiUrl of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1:25/', 'javascript:1']) {
    const credentials = { apiUrl, apiKey: 'key' }
    const answer = await admin.post('/api/provider-configs', { providerId: POWERDNS, name: 'x', credentials })
    t.match(answer, { status: 400, body: { errors: [{ path: '/credentials/apiUrl' }] } }, apiUrl)
  }
})

void t.test('71. redirects are not followed', async (t) => {
  const { tried } = await start(t, '127.0.0.0/8')
  const inside = await startFake(t)
  const follow = async (status: number) => {
    const server = await serve(t, { status, headers: { location: `${inside.url}/api/v1/servers/localhost` } })
    const answer = await tried(server.url, inside.apiKey)
    t.match(answer, { success: false, code: 'provider_error', error: /redirects/ }, String(status))
    t.notMatch(answer.error, inside.url, 'nor is it told where to')
  }
  await Promise.all([301, 302, 303, 307, 308].map(follow))
  t.same(inside.requests, [])
})

void t.test('72. an answer has a bound in size', async (t) => {
  const { tried } = await start(t, '127.0.0.0/8')
  const body = JSON.stringify({ type: 'Server', padding: 'x'.repeat(1024 * 1024) })
  const server = await serve(t, { status: 200, body })
  t.match(await tried(server.url), {
    success: false,
    code: 'provider_error',
    error: /too large/,
  })
})

void t.test('72. and in time', async (t) => {
  const { tried } = await start(t, '127.0.0.0/8', 300)
  const silent = await startFake(t)
  silent.fail({ kind: 'silent', applied: false, times: Infinity })
  const began = performance.now()
  t.match(await tried(silent.url, silent.apiKey), { success: false, code: 'provider_timeout' })
  t.ok(performance.now() - began < 5_000)
})

void t.test('73. what the other server says is not passed on', async (t) => {
  const { admin, configure, tried } = await start(t, '127.0.0.0/8')
  const secret = 'role: arn-of-the-machine'
  const bodies = [`<html>${secret}</html>`, JSON.stringify({ credentials: secret }), JSON.stringify([secret])]
  const statuses = [200, 201, 204, 302, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503]
  const ask = async (status: number, body: string) => {
    const headers = { 'content-type': 'text/html', 'x-secret': secret, location: `http://x/${secret}` }
    const server = await serve(t, { status, headers, ...(status !== 204 && { body }) })
    const answer = await tried(server.url)
    t.equal(answer.success, false, String(status))
    t.notMatch(JSON.stringify(answer), secret, `${status} ${body}`)
  }
  await Promise.all(bodies.flatMap((body) => statuses.map((status) => ask(status, body))))
  const server = await serve(t, { status: 200, body: bodies[0] as string })
  const zones = await admin.get(`/api/provider-configs/${await configure(server.url)}/zones`)
  t.match(zones, { status: 502, body: { code: 'provider_error' } })
  t.notMatch(JSON.stringify(zones), secret)
})

void t.test('73. the reason that PowerDNS gives is cut to a line, without the key', async (t) => {
  const { configure, admin } = await start(t, '127.0.0.0/8')
  const error = `no\r\nSet-Cookie: x\u001b[31m our-secret-key ${'x'.repeat(5_000)}`
  const server = await serve(t, { status: 422, body: JSON.stringify({ error }) })
  const id = await configure(server.url, 'our-secret-key')
  const { body } = await admin.post(`/api/provider-configs/${id}/test`)
  t.match(body, {
    success: false,
    code: 'provider_rejected',
    error: /^PowerDNS refuses this: no Set-Cookie: x/,
  })
  t.ok(body.error.length < 400)
  // oxlint-disable-next-line no-control-regex
  t.notMatch(body.error, /[\u0000-\u001f]|our-secret-key/)
})

void t.test(
  '74. the operator names what is reached although it is private, by port if need be',
  async (t) => {
    const fake = await startFake(t)
    const { port } = new URL(fake.url)
    for (const allow of ['127.0.0.0/8', '127.0.0.1', `127.0.0.1:${port}`]) {
      const { tried } = await start(t, allow)
      t.match(await tried(fake.url, fake.apiKey), { success: true }, allow)
    }
    for (const allow of [`127.0.0.1:${Number(port) + 1}`, '10.0.0.0/8', `localhost:${port}`]) {
      const { tried } = await start(t, allow)
      t.match(await tried(fake.url, fake.apiKey), { success: false, error: /OUTBOUND_ALLOW/ }, allow)
    }
  },
)
