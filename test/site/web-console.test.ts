import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pino from 'pino'
import t from 'tap'
import { CONSOLE_PAGES } from '../../modules/console/web-console.ts'
import { viewPaths } from '../console/paths.ts'
import { call, startApp } from '../helpers/app.ts'

/*
 * How the web console is served. Its build is played by a few files: what they show is tried in test/console.
 */
const PAGE = '<!doctype html><title>Zonekeeper</title>'
const SCRIPT = 'export const answer = 42\n'
const dist = `${mkdtempSync(path.join(tmpdir(), 'zonekeeper-console-'))}/`
t.teardown(() => rmSync(dist, { recursive: true, force: true }))
mkdirSync(`${dist}assets`)
writeFileSync(`${dist}index.html`, PAGE)
writeFileSync(`${dist}assets/index-abc.js`, SCRIPT)
writeFileSync(`${dist}assets/index-abc.js.br`, 'compressed by brotli')
writeFileSync(`${dist}assets/index-abc.js.gz`, 'compressed by gzip')

const { app } = await startApp(t, { consoleDist: dist, environment: { RATE_LIMIT: '40' } })
const get = (url: string, headers: Record<string, string> = {}) => call(app, { method: 'GET', url, headers })

void t.test('pages and views correspond', async (t) => {
  const fits = (page: string, view: string) =>
    new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`).test(view.replace('$id', 'x'))
  const views = [...viewPaths(), '/domains/$id', '/account']
  for (const view of views)
    t.ok(
      CONSOLE_PAGES.some((page) => fits(page, view)),
      view,
    )
  for (const page of CONSOLE_PAGES)
    t.ok(
      views.some((view) => fits(page, view)),
      page,
    )
  for (const url of ['/', '/sign-in', '/domains/x', '/domains/x/records?filter=a', '/users/invitations']) {
    const { status, body, headers } = await get(url)
    t.match({ status, body }, { status: 200, body: PAGE }, url)
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  }
})

void t.test('other paths are unaffected', async (t) => {
  for (const url of ['/nothing', '/domains/x/records/y', '/account/a/b', '/api/nothing', '/index.html'])
    t.match(await get(url), { status: 404, body: { code: 'not_found' } }, url)
  t.match(await call(app, { method: 'POST', url: '/sign-in' }), { status: 405 })
})

void t.test('an unchanged page is not sent again', async (t) => {
  const { headers } = await get('/')
  const etag = String(headers['etag'])
  t.match(etag, /^"[\w-]{22}"$/)
  t.match(await get('/domains', { 'if-none-match': etag }), { status: 304, body: '' })
  t.match(await get('/', { 'if-none-match': '"another"' }), { status: 200, body: PAGE })
})

void t.test('assets are cached forever, in the encoding the browser accepts', async (t) => {
  const plain = await get('/assets/index-abc.js')
  t.match(plain, { status: 200, body: SCRIPT })
  t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.match(plain.headers['content-type'], /^(text|application)\/javascript/)
  for (const [accepted, encoding, body] of [
    ['gzip, deflate, br, zstd', 'br', 'compressed by brotli'],
    ['gzip', 'gzip', 'compressed by gzip'],
  ] as const) {
    const answer = await get('/assets/index-abc.js', { 'accept-encoding': accepted })
    t.match(answer, { status: 200, body, headers: { 'content-encoding': encoding } }, accepted)
    t.match(answer.headers['vary'], /accept-encoding/i)
  }
  for (const url of ['/assets/gone.js', '/assets/', '/assets/../index.html'])
    t.match(await get(url), { status: 404, body: { code: 'not_found' } }, url)
  t.match(await get('/assets/..%2findex.html'), { status: 403 }, 'nothing outside of their folder')
})

void t.test('its policy allows only its own files', async (t) => {
  const { headers } = await get('/')
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  )
  t.equal(policy.get('default-src'), "'none'")
  t.equal(policy.get('script-src'), "'self'")
  t.equal(policy.get('connect-src'), "'self'")
  t.equal(policy.get('frame-ancestors'), "'none'")
  t.equal(policy.get('require-trusted-types-for'), "'script'")
  t.equal(policy.get('trusted-types'), "'none'")
  t.notMatch(String(headers['content-security-policy']), /unsafe|\*/)
  t.match(headers, { 'x-content-type-options': 'nosniff' })
})

void t.test('pages and assets do not count toward the rate limit', async (t) => {
  for (let nth = 0; nth < 50; nth++) {
    t.match(await get('/domains'), { status: 200 })
    const { status, headers } = await get('/assets/index-abc.js')
    t.match({ status, limit: headers['x-ratelimit-limit'] }, { status: 200, limit: undefined })
  }
})

void t.test('without a build only the API is served, and the log says so', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const { app } = await startApp(t, { consoleDist: '/none/', log })
  t.equal(lines.filter((line) => line.includes('npm run build:console')).length, 1)
  const read = (url: string) => call(app, { method: 'GET', url })
  t.match((await read('/')).body, /href="\/?guide\/README.md"/, 'the front page of before')
  for (const url of ['/confirm-email?token=x', '/reset-password?token=x', '/register?code=x'])
    t.match(await read(url), { status: 200, body: /<form method="post">/ }, url)
  t.match(await read('/sign-in'), { status: 404, body: { code: 'not_found' } })
})
