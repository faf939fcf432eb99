import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, remove, start } from '../conformance/suite/subject.ts'
import { startPowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import { startServer } from '../conformance/simulators/server.ts'
import { callApi, powerDnsSubject } from '../conformance/subjects/powerdns-subject.ts'
import { LARGE, specifics } from '../conformance/subjects/powerdns-specifics.ts'
import { startPowerDns } from './powerdns.ts'

const server = await startPowerDns()
t.teardown(() => server.close())

/** Passes calls on to the server, counts them, and misbehaves when told so. */
const front = await startServer(async ({ method, path, query, headers, body }) => {
  const passed = { accept: String(headers.accept), 'x-api-key': String(headers['x-api-key']) }
  const url = `${server.apiUrl}${path}?${query.toString()}`
  const answer = await fetch(url, { method, headers: passed, ...(body === '' ? {} : { body }) })
  const passedBack = ['content-type', 'x-pdns-new-serial'].flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: answer.status, headers: Object.fromEntries(passedBack), body: await answer.text() }
})
t.teardown(() => front.close())

const place = { ...server, front }
const makeSubject = () => powerDnsSubject(place)

/** By what the adapter is told of the zone's size. */
const ways = { zone: 50, filter: LARGE } as const
for (const [reads, zoneSize] of Object.entries(ways)) {
  const makeSubject = () => powerDnsSubject(place, zoneSize)
  void conformance(t, `real PowerDNS, read by ${reads}`, makeSubject)
  void t.test(`what only PowerDNS has, read by ${reads}`, (t) =>
    specifics(t, place, makeSubject, reads as keyof typeof ways),
  )
}

void t.test('the server answers what was written', async (t) => {
  const { subject, apply } = await start(t, makeSubject)
  const zone = subject.zoneName
  await apply([
    edit('www', 'A', [add('192.0.2.1'), add('192.0.2.2')]),
    edit('*.wild', 'AAAA', [add('2001:db8::1')]),
    edit('alias', 'CNAME', [add('target.example.net')]),
    edit('@', 'MX', [add('10 mail.example.net')]),
    edit('text', 'TXT', [add(`${'a'.repeat(255)}b "quoted" \\ grüße`)]),
    edit('_sip._tcp', 'SRV', [add('10 60 5060 sip.example.net')]),
    edit('@', 'CAA', [add('0 issue "letsencrypt.org"')]),
  ])
  t.same((await server.dig(`www.${zone}`, 'A')).sort(), ['192.0.2.1', '192.0.2.2'])
  t.same(await server.dig(`any.wild.${zone}`, 'AAAA'), ['2001:db8::1'])
  t.same(await server.dig(`alias.${zone}`, 'CNAME'), ['target.example.net.'])
  t.same(await server.dig(zone, 'MX'), ['10 mail.example.net.'])
  const text = `"${'a'.repeat(255)}" "b \\"quoted\\" \\\\ gr\\195\\188\\195\\159e"`
  t.same(await server.dig(`text.${zone}`, 'TXT'), [text])
  t.same(await server.dig(`_sip._tcp.${zone}`, 'SRV'), ['10 60 5060 sip.example.net.'])
  t.same(await server.dig(zone, 'CAA'), ['0 issue "letsencrypt.org"'])
  const [before] = await server.dig(zone, 'SOA')
  await apply([edit('www', 'A', [remove('192.0.2.1')])])
  t.same(await server.dig(`www.${zone}`, 'A'), ['192.0.2.2'])
  const [after] = await server.dig(zone, 'SOA')
  t.ok(
    Number(after?.split(' ')[2]) > Number(before?.split(' ')[2]),
    'a new serial, so that secondaries follow',
  )
})

void t.test('the fake answers as the real one', async (t) => {
  const fake = await startPowerDnsSimulator({ apiKey: server.apiKey })
  t.teardown(() => fake.close())
  for (const [method, path, body] of comparisons()) {
    const what = `${method} ${path} ${JSON.stringify(body)?.slice(0, 120) ?? ''}`
    const [real, other] = await Promise.all(
      [server.apiUrl, fake.url].map((apiUrl) =>
        callApi({ apiUrl, apiKey: server.apiKey }, method, path, body),
      ),
    )
    t.equal(other?.status, real?.status, what)
    t.same(shapeOf(other?.body), shapeOf(real?.body), what)
  }
  for (const apiKey of ['wrong']) {
    const real = await callApi({ apiUrl: server.apiUrl, apiKey }, 'GET', '')
    t.same(await callApi({ apiUrl: fake.url, apiKey }, 'GET', ''), {
      ...real,
      body: '{"error":"Unauthorized"}',
    })
  }
})

/** What our adapter looks at in an answer; the rest differs by nature (serials, addresses). */
function shapeOf(body = ''): unknown {
  if (!body.startsWith('{') && !body.startsWith('[')) return body
  const value = JSON.parse(body) as unknown
  if (Array.isArray(value))
    return inOrder(value.map((item) => withoutSerials(item as Record<string, unknown>)))
  return withoutSerials(value as Record<string, unknown>)
}

function withoutSerials(value: Record<string, unknown>): unknown {
  const { id, name, error, rrsets, daemon_type, version, type, content, disabled, ttl, zone_id } = value
  const lists = Array.isArray(rrsets) ? (rrsets as Record<string, unknown>[]) : undefined
  const plain = lists?.map((item) => ({
    ...item,
    records: item['type'] === 'SOA' ? 'SOA' : inOrder(item['records'] as unknown[]),
  }))
  return {
    id,
    name,
    error,
    rrsets: plain && inOrder(plain),
    daemon_type,
    version,
    type,
    content,
    disabled,
    ttl,
    zone_id,
  }
}

// The order of RRsets, records and finds means nothing.
const inOrder = (items: unknown[]): unknown[] =>
  [...items].sort((a, b) => (JSON.stringify(sortedKeys(a)) < JSON.stringify(sortedKeys(b)) ? -1 : 1))

const sortedKeys = (item: unknown) => Object.entries(item ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

type Comparison = [method: string, path: string, body?: unknown]

function comparisons(): Comparison[] {
  const zone = '/zones/compare.test.'
  const on = (content: string) => ({ content, disabled: false })
  const off = (content: string) => ({ content, disabled: true })
  const patch = (...rrsets: object[]): Comparison => ['PATCH', zone, { rrsets }]
  const set = (name: string, type: string, ...records: object[]) => ({
    name,
    type,
    ttl: 300,
    changetype: 'REPLACE',
    records,
  })
  const x = (name = 'x') => `${name}.compare.test.`
  const list: Comparison[] = [
    ['GET', ''],
    ['PUT', ''],
    ['GET', '/nonsense'],
    ['GET', zone],
    ['PATCH', zone, { rrsets: [] }],
    ['DELETE', zone],
    ['POST', '/zones', { name: 'compare.test', kind: 'Native' }],
    ['POST', '/zones', { name: 'a b.test.', kind: 'Native' }],
    ['POST', '/zones', { name: 'compare.test.', kind: 'Native', nameservers: [], soa_edit_api: 'DEFAULT' }],
    ['POST', '/zones', { name: 'compare.test.', kind: 'Native' }],
    ['GET', '/zones?zone=compare.test.&dnssec=false'],
    ['GET', '/zones?zone=missing.test.&dnssec=false'],
    ['PATCH', zone, {}],
    patch({
      ...set(x(), 'A', on('192.0.2.1'), off('192.0.2.2')),
      comments: [{ content: 'c', account: 'a', modified_at: 1 }],
    }),
    patch(set(x('y'), 'A', off('192.0.2.2')), set(x('*'), 'MX', on('10 mail.example.net.'))),
    patch(set(x('_z'), 'TXT', on('"a \\"b\\" \\195\\188"')), set(x('w'), 'CNAME', on('x.example.net.'))),
    // Refused as a whole, although the first one is fine.
    patch(set(x('fine'), 'A', on('192.0.2.1')), set(x(), 'CNAME', on('x.example.net.'))),
    patch(set(x('w'), 'A', on('192.0.2.1'))),
    patch(set(x('v'), 'CNAME', on('a.example.net.'), on('b.example.net.'))),
    patch(set(x('v'), 'A', on('192.0.2.1'), on('192.0.2.1'))),
    patch(set(x('v'), 'A', on('192.0.2.1'), off('192.0.2.1'))),
    patch(set(x('v'), 'A', on('192.0.2.1')), set(x('v'), 'A', on('192.0.2.2'))),
    patch(set('v.other.test.', 'A', on('192.0.2.1'))),
    patch(set('v.compare.test', 'A', on('192.0.2.1'))),
    patch(set('v v.compare.test.', 'A', on('192.0.2.1'))),
    patch(set(x('v'), 'NOPE', on('192.0.2.1'))),
    patch({ ...set(x('v'), 'A', on('192.0.2.1')), ttl: undefined }),
    patch({ ...set(x('v'), 'A', on('192.0.2.1')), changetype: 'NOPE' }),
    patch({ ...set(x('v'), 'A'), records: undefined }),
    patch(set(x('v'), 'A', on('300.2.3.4'))),
    patch(set(x('v'), 'AAAA', on('zz'))),
    patch(set(x('v'), 'MX', on('10 mail'))),
    patch(set(x('v'), 'SRV', on('1 2 3'))),
    patch(set(x('v'), 'CNAME', on('a.example'))),
    patch(set(x('v'), 'TXT', on('unquoted'))),
    patch(set(x('v'), 'CAA', on('0 issue x'))),
    patch({ name: x('never'), type: 'A', changetype: 'DELETE' }),
    patch(set(x('never'), 'A')),
    // A disabled record doesn't conflict; then what it would conflict with.
    patch(set(x('y'), 'CNAME', on('x.example.net.'))),
    patch(set(x('y'), 'A', on('192.0.2.2'))),
    patch(
      { name: x('y'), type: 'CNAME', changetype: 'DELETE' },
      set(x('y'), 'A', on('192.0.2.2'), off('192.0.2.3')),
    ),
    ['GET', zone],
    ['GET', '/zones/compare.test./cryptokeys'],
    ['GET', '/zones/missing.test./cryptokeys'],
    ['PUT', zone, { dnssec: true, api_rectify: true }],
    ['PUT', zone, { dnssec: false }],
    ['GET', '/zones/compare.test./cryptokeys'],
    ['DELETE', zone],
    ['DELETE', zone],
  ]
  const reads = ['x', 'y', '_z', 'none', '*'].map((name): Comparison => [
    'GET',
    `${zone}?rrset_name=${x(name)}&rrset_type=A&include_disabled=true`,
  ])
  list.splice(-2, 0, ...reads)
  return list
}

void t.test('it stops when its parent is killed', async (t) => {
  const modulePath = fileURLToPath(new URL('powerdns.ts', import.meta.url))
  const script = `
    const { startPowerDns } = await import(${JSON.stringify(modulePath)})
    const server = await startPowerDns()
    console.log(JSON.stringify({ apiUrl: server.apiUrl, directory: server.directory }))
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const { apiUrl, directory } = JSON.parse(line.toString()) as { apiUrl: string; directory: string }
  t.ok(await fetch(apiUrl), 'it runs')
  parent.kill('SIGKILL')
  const end = Date.now() + 10_000
  while (existsSync(directory) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  t.notOk(existsSync(directory), 'its directory is gone')
  await t.rejects(fetch(apiUrl), 'and so is the server')
})
