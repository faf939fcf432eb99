import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startIssuer } from './simulators/issuer.ts'
import { CLIENT_SECRET, startService } from './helpers/service.ts'

/* 70-74. Identity providers that are away or misbehave: `provider_error`, soon, and nothing else. */

const service = await startService(t)
const issuer = await startIssuer(t)
const { id } = await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })
/** Other addresses, with the secret: it follows none by itself. */
const move = async (addresses: object) => {
  await service.admin.put(`/api/oauth/providers/${id}`, { ...addresses, clientSecret: CLIENT_SECRET })
}
const report = async () => (await service.admin.post(`/api/oauth/providers/${id}/test`)).body

const FAILED = { error: 'provider_error' }
const at = (path: string) => (request: { path: string }) => request.path === path
const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><form action=/login>' }

/** A new key, so that those that are kept won't do. */
const forget = async (path: string) => {
  if (path === '/jwks') issuer.rotateKey()
}

for (const path of ['/token', '/userinfo', '/jwks']) {
  void t.test(path, async (t) => {
    const answers = {
      HTML: html,
      'a redirect': { status: 302, headers: { location: `${issuer.issuer}/elsewhere` }, body: '' },
      'a permanent redirect': {
        status: 308,
        headers: { location: 'http://169.254.169.254/latest' },
        body: '',
      },
      'an error': { status: 500, body: 'oops' },
      nothing: { status: 204, body: '' },
      'an odd status': { status: 699, body: '' },
      'no object': { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' },
      'half of it': { status: 200, headers: { 'content-type': 'application/json' }, body: '{"access_tok' },
      'a wall of text': {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: `{"a":"${'x'.repeat(1024 * 1024)}"}`,
      },
    }
    for (const [name, answer] of Object.entries(answers)) {
      await forget(path)
      issuer.fail({ kind: 'answer', on: at(path), answer })
      t.same(await service.authorize('oidc'), FAILED, name)
    }
    await forget(path)
    issuer.fail({ kind: 'cut', on: at(path) })
    t.same(await service.authorize('oidc'), FAILED, 'cut in the middle')
    issuer.heal()
    t.ok((await service.authorize('oidc'))['ticket'], 'and all is well again')
  })
}

void t.test('silence ends after 5 s', async (t) => {
  issuer.fail({ kind: 'silent', on: at('/token'), applied: false })
  const begin = Date.now()
  t.same(await service.authorize('oidc'), FAILED)
  const took = Date.now() - begin
  t.ok(took > 4_000 && took < 8_000, `${took} ms`)
  t.ok((await service.authorize('oidc'))['ticket'])
})

void t.test('an endless answer is cut off', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(64 * 1024, 32)
    const more = () => {
      if (response.destroyed) return
      while (response.write(chunk));
      response.once('drain', more)
    }
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const endless = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await move({ tokenUrl: `${endless}/token` })
  const before = process.memoryUsage().rss
  t.same(await service.authorize('oidc'), FAILED)
  t.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024)
  await move({ tokenUrl: null })
  t.ok((await service.authorize('oidc'))['ticket'])
})

void t.test('down: from the start, and for who tries the configuration', async (t) => {
  await move({ wellKnownUrl: 'http://127.0.0.1:9' })
  t.same(await service.authorize('oidc'), FAILED)
  t.match(await report(), {
    success: false,
    checks: [{ name: 'discovery', ok: false, detail: /refused the connection/ }],
  })
  const { status, body } = await service.admin.post('/api/auth/oauth/oidc/bind/start')
  t.equal(status, 502)
  t.match(body, { code: 'provider_error', detail: /refused the connection/ })
})

void t.test('40. a discovery document of another issuer', async (t) => {
  await move({ wellKnownUrl: issuer.wellKnownUrl })
  issuer.lies = { document: (document) => ({ ...document, issuer: 'https://accounts.google.com' }) }
  t.match(await report(), { success: false, checks: [{ detail: /different issuer/ }] })
  issuer.lies = { document: (document) => ({ ...document, token_endpoint: 'http://intranet.example/token' }) }
  t.match(await report(), { success: false, checks: [{ detail: /no https address for token_endpoint/ }] })
  issuer.lies = { document: ({ jwks_uri: _keys, ...document }) => document }
  t.match(await report(), { success: false, checks: [{ detail: /jwks_uri/ }] })
  issuer.lies = {}
  t.match(await report(), {
    success: true,
    checks: [{ name: 'discovery' }, { name: 'keys' }, { name: 'credentials' }],
  })
})

void t.test('71, 73. what a provider answers is never shown', async (t) => {
  const remote = 'remote-words-that-nobody-should-see'
  issuer.fail({ kind: 'answer', on: at('/jwks'), answer: { status: 500, body: remote } })
  issuer.fail({
    kind: 'answer',
    on: at('/token'),
    answer: {
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: `{"error":"<b>${remote}</b>"}`,
    },
  })
  const answer = await report()
  t.equal(answer.success, false)
  t.notMatch(JSON.stringify(answer), new RegExp(remote))
  issuer.heal()
})

void t.test('70. private addresses only as far as OUTBOUND_ALLOW names them', async (t) => {
  const guarded = await startService(t, { environment: { OUTBOUND_ALLOW: '' } })
  await guarded.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })
  t.same(await guarded.authorize('oidc'), FAILED)
  const { body } = await guarded.admin.get('/api/oauth/providers')
  const test = await guarded.admin.post(`/api/oauth/providers/${body.providers[0].id}/test`)
  t.match(test.body, { success: false, checks: [{ detail: /OUTBOUND_ALLOW/ }] })
})
