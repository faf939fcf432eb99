import { readFileSync } from 'node:fs'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { createBootstrap, readServers } from '../../../../modules/domains/expiry/lookup/bootstrap.ts'
import { createHttp } from '../../../../plugins/outbound/http.ts'
import { bootstrapList, startRdap, type RdapServer, type Reply } from '../registries.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR

/** A service that gets its list from a server of the test's own, at a time that the test decides. */
async function start(t: Test, first: Reply) {
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') })
  t.teardown(() => mock.timers.reset())
  const server: RdapServer = await startRdap(t)
  const http = createHttp({ allow: [server.host] })
  t.teardown(() => http.close())
  const errors: unknown[] = []
  const bootstrap = createBootstrap({
    http,
    url: `${server.url}/list`,
    report: (error) => errors.push(error),
  })
  const serve = (reply: Reply) => server.replies.set('/list', reply)
  serve(first)
  return {
    errors,
    serve,
    baseOf: (domain: string) => bootstrap.baseOf(domain),
    asked: () => server.requests.length,
    requests: server.requests,
  }
}

const listOf = (base: string) => bootstrapList([[['test'], [base]]])

void t.test('the longest suffix counts', async (t) => {
  const { baseOf, asked } = await start(t, {
    body: bootstrapList([
      [['Example', 'xn--p1ai'], ['https://tld.example/rdap']],
      [['b.example'], ['http://plain.example/', 'https://safe.example/x/']],
      [['a.b.example'], ['http://plain.example']],
      [['odd'], ['ftp://x/', 'nonsense']],
    ]),
  })
  t.equal(await baseOf('c.example'), 'https://tld.example/rdap/', 'with its final slash')
  t.equal(await baseOf('xn--e1afmkfd.xn--p1ai'), 'https://tld.example/rdap/')
  t.equal(await baseOf('c.b.example'), 'https://safe.example/x/', 'https goes first')
  t.equal(await baseOf('c.a.b.example'), 'http://plain.example/')
  t.equal(await baseOf('b.example'), 'https://tld.example/rdap/', 'a suffix is not below itself')
  t.equal(await baseOf('x.odd'), null)
  t.equal(await baseOf('x.other'), null)
  t.equal(await baseOf('x.de'), 'https://rdap.denic.de/', 'what the list lacks')
  t.equal(await baseOf('x.co.gl'), 'https://rdap.centralnic.com/co.gl/')
  t.equal(asked(), 1)
  t.equal(readServers(bootstrapList([[[''], ['https://root.example/']]])).get(''), 'https://root.example/')
})

void t.test('what the list has goes before what we know better', async (t) => {
  const { baseOf } = await start(t, { body: bootstrapList([[['de'], ['https://new.example/']]]) })
  t.equal(await baseOf('x.de'), 'https://new.example/')
})

void t.test('it is refreshed as its headers say', async (t) => {
  for (const [what, headers, fresh, stale] of [
    ['a day without any', {}, DAY - HOUR, DAY + 1],
    ['max-age', { 'cache-control': 'public, max-age=7200' }, 2 * HOUR - 1000, 2 * HOUR + 1000],
    ['with Age', { 'cache-control': 'max-age=86400', age: '43200' }, DAY / 2 - 1000, DAY / 2 + 1000],
    ['Expires', { expires: 'Sun, 22 Nov 2026 00:00:00 GMT' }, DAY / 2 - 1000, DAY / 2 + 1000],
    ['never more often than hourly', { 'cache-control': 'no-store' }, HOUR - 1000, HOUR + 1000],
    ['nor less than weekly', { 'cache-control': 'max-age=99999999' }, 7 * DAY - 1000, 7 * DAY + 1000],
  ] as const) {
    await t.test(what, async (t) => {
      const { baseOf, asked, serve } = await start(t, { headers, body: listOf('https://one.example/') })
      t.equal(await baseOf('x.test'), 'https://one.example/')
      serve({ body: listOf('https://two.example/') })
      mock.timers.tick(fresh)
      t.equal(await baseOf('x.test'), 'https://one.example/')
      t.equal(asked(), 1)
      mock.timers.tick(stale - fresh)
      const both = await Promise.all([baseOf('x.test'), baseOf('y.test')])
      t.same(both, ['https://two.example/', 'https://two.example/'])
      t.equal(asked(), 2)
    })
  }
})

void t.test('an unchanged list is not sent again', async (t) => {
  const { baseOf, serve, requests } = await start(t, {
    headers: { etag: '"1"' },
    body: listOf('https://one.example/'),
  })
  await baseOf('x.test')
  serve({ status: 304 })
  mock.timers.tick(DAY + 1)
  t.equal(await baseOf('x.test'), 'https://one.example/')
  t.equal(requests.at(-1)?.headers['if-none-match'], '"1"')
  await baseOf('x.test')
  t.equal(requests.length, 2)
})

void t.test('a bad list leaves the one before', async (t) => {
  const { baseOf, serve, errors, asked } = await start(t, { body: listOf('https://one.example/') })
  await baseOf('x.test')
  const bad: Reply[] = [
    { status: 500 },
    { status: 304 },
    { body: '' },
    { body: '{"services": [[["test"], ["https://two' },
    { body: 'null' },
    { body: [] },
    { body: { services: {} } },
    { body: { services: [] } },
    { body: { services: [['test', 'https://two.example/']] } },
    { body: { services: [[['test'], ['https://two.example/']], 7] } },
    { body: { services: [[['test'], [7]]] } },
    { body: { services: [[['test']]] } },
  ]
  for (const [n, reply] of bad.entries()) {
    serve(reply)
    mock.timers.tick(8 * DAY)
    t.equal(await baseOf('x.test'), 'https://one.example/', JSON.stringify(reply))
    t.equal(errors.length, n + 1)
    t.equal(asked(), n + 2)
    await baseOf('x.test')
    t.equal(asked(), n + 2, 'not tried again at once')
  }
  serve({ body: listOf('https://two.example/') })
  mock.timers.tick(HOUR + 1)
  t.equal(await baseOf('x.test'), 'https://two.example/', 'but soon')
})

void t.test('the copy that ships serves when there is no other', async (t) => {
  const { baseOf, errors } = await start(t, { status: 503 })
  t.equal(await baseOf('example.com'), 'https://rdap.verisign.com/com/v1/')
  t.equal(await baseOf('example.org'), 'https://rdap.publicinterestregistry.org/rdap/')
  t.equal(await baseOf('example.ar'), 'https://rdap.nic.ar/')
  t.equal(await baseOf('example.lt'), null)
  for (const tld of 'ac ag bh bz ch co de gl io lc li me mn my pr sc sh us vc'.split(' ')) {
    t.match(await baseOf(`example.${tld}`), /^https:\/\/.+\/$/, `${tld}, which the list lacks`)
  }
  t.equal(errors.length, 1)
  const path = new URL('../../../../modules/domains/expiry/lookup/rdap-servers.json', import.meta.url)
  const shipped = JSON.parse(readFileSync(path, 'utf8')) as {
    publication: string
    services: [string[], string[]][]
  }
  t.match(shipped.publication, /^\d{4}-\d\d-\d\dT/)
  const suffixes = shipped.services.flatMap(([names]) => names)
  t.ok(suffixes.length > 1_000)
  t.equal(new Set(suffixes).size, suffixes.length)
})
