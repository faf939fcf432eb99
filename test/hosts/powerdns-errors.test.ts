import t, { type Test } from 'tap'
import type { DnsAdapter, ProviderError, ProviderErrorKind } from '../../modules/providers/contract.ts'
import {
  add,
  edit,
  expectError,
  newZone,
  open,
  start,
  zonesOf,
  type Subject,
} from '../conformance/suite/subject.ts'
import { startPowerDnsSimulator, type PowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import { startServer, type SimulatorAnswer, type SimulatorServer } from '../conformance/simulators/server.ts'
import { powerDnsSubject } from '../conformance/subjects/powerdns-subject.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const refusal = (status: number, error: string): SimulatorAnswer => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify({ error }),
})
const page = (status: number, headers = {}): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<html><body>inner secrets</body></html>',
})

async function makeFake(t: Test): Promise<PowerDnsSimulator> {
  const sim = await startPowerDnsSimulator()
  t.teardown(() => sim.close())
  return sim
}

const subjectOf = (sim: PowerDnsSimulator) =>
  powerDnsSubject({ apiUrl: sim.url, apiKey: sim.apiKey, front: sim })

interface Case {
  answer: SimulatorAnswer
  kind: ProviderErrorKind
  message: RegExp
  /** Of a write; default: not_applied. */
  outcome?: 'unknown'
  retryAfter?: number
}

const cases: Record<string, Case> = {
  'a wrong key': { answer: refusal(401, 'Unauthorized'), kind: 'auth', message: /refuses the API key/ },
  'a proxy that wants a password': { answer: page(401), kind: 'auth', message: /refuses the API key/ },
  'a closed proxy': { answer: page(403), kind: 'forbidden', message: /does not allow/ },
  'no such zone': { answer: refusal(404, 'Not Found'), kind: 'not_found', message: /./ },
  'no such zone, before 4.2': {
    answer: refusal(422, "Could not find domain 'x.'"),
    kind: 'not_found',
    message: /./,
  },
  'a wrong address': { answer: page(404), kind: 'unavailable', message: /check apiUrl/ },
  'a wrong method': { answer: page(405), kind: 'unavailable', message: /check apiUrl/ },
  'a redirect': { answer: page(301, { location: 'https://x/' }), kind: 'unavailable', message: /apiUrl/ },
  'a conflict': { answer: refusal(409, 'Conflict'), kind: 'conflict', message: /refuses this: Conflict/ },
  'bad JSON': { answer: refusal(400, 'Bad Request'), kind: 'rejected', message: /refuses this: Bad Request/ },
  'too much at once': { answer: page(413), kind: 'rejected', message: /status 413, without a reason/ },
  'a refusal': {
    answer: refusal(422, 'No\u0000 \u001b[1mthanks\r\n'),
    kind: 'rejected',
    message: /: No \[1mthanks$/,
  },
  'a long refusal': { answer: refusal(422, 'x'.repeat(9_000)), kind: 'rejected', message: /^.{300,400}…$/ },
  'a hint for the command line': {
    answer: refusal(422, "Record a./A 'b': Parsing record content (try 'pdnsutil check-zone'): no"),
    kind: 'rejected',
    message: /: Record a\.\/A 'b': Parsing record content: no$/,
  },
  'a limit in seconds': {
    answer: page(429, { 'retry-after': '12' }),
    kind: 'rate_limited',
    message: /too many/,
    retryAfter: 12,
  },
  'a limit until a date': {
    answer: page(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    kind: 'rate_limited',
    message: /too many/,
    retryAfter: 0,
  },
  'a limit in nonsense': {
    answer: page(429, { 'retry-after': 'soon' }),
    kind: 'rate_limited',
    message: /too many/,
  },
  'an overloaded proxy': {
    answer: page(503, { 'retry-after': '3' }),
    kind: 'unavailable',
    message: /status 503/,
    outcome: 'unknown',
    retryAfter: 3,
  },
  'a failure inside': {
    answer: refusal(500, 'Internal Server Error'),
    kind: 'unavailable',
    message: /status 500/,
    outcome: 'unknown',
  },
  'a sign-in page': { answer: page(200), kind: 'unavailable', message: /format/, outcome: 'unknown' },
}

void t.test('every status has its kind', async (t) => {
  const sim = await makeFake(t)
  const { subject, zone } = await start(t, () => subjectOf(sim))
  for (const [name, { answer, kind, message, outcome, retryAfter }] of Object.entries(cases)) {
    await t.test(name, async (t) => {
      const expected = (error: ProviderError | undefined) => {
        t.match(error?.message, message)
        t.notMatch(error?.message, /inner secrets/)
        t.equal(error?.retryAfter, retryAfter)
      }
      const adapter = await open(t, subject)
      sim.fail({ kind: 'answer', answer })
      expected(await expectError(t, subject, adapter.listRRsets(zone)[Symbol.asyncIterator]().next(), kind))
      sim.fail({ kind: 'answer', answer, on: 'write' })
      const write = adapter.apply(zone, [edit('x', 'A', [add('192.0.2.1')])])
      // After a failure of its own it is read again: nothing was left behind.
      const [kindOfWrite, certainly] =
        name === 'a failure inside' ? (['locked', 'not_applied'] as const) : [kind, outcome]
      expected(await expectError(t, subject, write, kindOfWrite, certainly))
      sim.fail({ kind: 'answer', answer, on: 'write' })
      expected(await expectError(t, subject, adapter.createZone(newZone('new.test')), kindOfWrite, certainly))
      if (kind === 'not_found') return
      sim.fail({ kind: 'answer', answer, on: 'write' })
      expected(await expectError(t, subject, adapter.deleteZone(zone), kindOfWrite, certainly))
    })
  }
})

void t.test('a zone that exists already, before 4.2', async (t) => {
  const sim = await makeFake(t)
  const { subject, adapter } = await start(t, () => subjectOf(sim))
  sim.fail({ kind: 'answer', answer: refusal(422, "Domain 'new.test.' already exists"), on: 'write' })
  await expectError(t, subject, adapter.createZone(newZone('new.test')), 'conflict')
})

void t.test('no short list from an answer in another form', async (t) => {
  const sim = await makeFake(t)
  const { subject, zone } = await start(t, () => subjectOf(sim))
  const whole = { id: zone.id, name: `${zone.name}.` }
  const record = { content: '192.0.2.1', disabled: false }
  const rrset = { name: `x.${zone.name}.`, type: 'A', ttl: 300, records: [record] }
  const bodies: Record<string, unknown> = {
    'no rrsets': whole,
    'rrsets of another form': { ...whole, rrsets: {} },
    'another zone': { ...whole, name: 'other.test.', rrsets: [] },
    'no zone': { rrsets: [] },
    'an RRset of another form': { ...whole, rrsets: [rrset, 'x'] },
    'no TTL': { ...whole, rrsets: [{ ...rrset, ttl: undefined }] },
    'no records': { ...whole, rrsets: [{ ...rrset, records: null }] },
    'a record without content': { ...whole, rrsets: [{ ...rrset, records: [{ disabled: false }] }] },
    null: null,
    'a list': [],
    text: 'x',
  }
  const reads = (adapter: DnsAdapter) => [
    () => adapter.listRRsets(zone)[Symbol.asyncIterator]().next(),
    () => adapter.readRRset(zone, 'x', 'A'),
    () =>
      adapter.apply(
        zone,
        Array.from({ length: 50 }, (_, i) => edit(`h${i}`, 'A', [add('192.0.2.1')])),
      ),
  ]
  for (const [name, body] of Object.entries(bodies)) {
    for (const call of reads(await open(t, subject))) {
      sim.fail({ kind: 'garble', body: JSON.stringify(body) })
      const error = await expectError(t, subject, call(), 'unavailable')
      t.match(error?.message, /not in PowerDNS's format/, name)
    }
  }
  t.same(await subject.dump(), [], 'and nothing was written on that ground')
  for (const body of ['{}', '{"error":"x"}', '[{"name":"x."}]', 'null', '[null]', '"x"', '']) {
    const adapter = await open(t, subject)
    for (const call of [() => zonesOf(adapter), () => adapter.findZones(zone.name)]) {
      sim.fail({ kind: 'garble', body })
      await expectError(t, subject, call(), 'unavailable')
    }
  }
})

void t.test('verify knows what is no authoritative PowerDNS', async (t) => {
  const sim = await makeFake(t)
  const { subject, adapter } = await start(t, () => subjectOf(sim))
  sim.fail({ kind: 'garble', body: '{"daemon_type": "recursor", "version": "5.0.0"}' })
  await expectError(t, subject, adapter.verify(), 'rejected')
  sim.fail({ kind: 'garble', body: '{"hello": "world"}' })
  await expectError(t, subject, adapter.verify(), 'unavailable')
})

void t.test('findZone checks the answer itself', async (t) => {
  const sim = await makeFake(t)
  const { adapter, zone } = await start(t, () => subjectOf(sim))
  // Old servers ignore the parameter and answer all their zones.
  const all = ['a.test.', `${zone.name.toUpperCase()}.`].map((name) => ({ id: name, name }))
  sim.fail({ kind: 'garble', body: JSON.stringify(all) })
  t.same(await adapter.findZones(zone.name), [{ id: all[1]?.id, name: zone.name }])
  sim.fail({ kind: 'garble', body: JSON.stringify(all.slice(0, 1)) })
  t.same(await adapter.findZones(zone.name), [])
})

void t.test('the address in any spelling, also below a path of a proxy', async (t) => {
  const sim = await makeFake(t)
  const proxy: SimulatorServer = await startServer(async ({ path, query, headers }) => {
    if (!path.startsWith('/dns/api/v1/')) return page(404)
    const url = `${sim.url}${path.slice('/dns'.length)}?${query.toString()}`
    const key = { 'x-api-key': String(headers['x-api-key']), accept: 'application/json' }
    const answer = await fetch(url, { headers: key })
    return { status: answer.status, body: await answer.text() }
  })
  t.teardown(() => proxy.close())
  const subject: Subject = await subjectOf(sim)
  const spellings = ['', '/', '/api', '/api/', '/api/v1', '/api/v1/', '/api/v1?x=y', '#x']
  const urls = [sim.url, `${proxy.url}/dns`].flatMap((base) => spellings.map((end) => base + end))
  for (const apiUrl of urls) {
    const adapter = await open(t, subject, { ...subject.credentials, apiUrl })
    await t.resolves(adapter.verify(), apiUrl)
    t.match(await adapter.findZones(subject.zoneName), [{ name: subject.zoneName }], apiUrl)
  }
  const wrong = await open(t, subject, { ...subject.credentials, apiUrl: proxy.url })
  await expectError(t, subject, wrong.verify(), 'unavailable')
  for (const apiUrl of ['ftp://127.0.0.1', 'nonsense', 'http://']) {
    const adapter = await open(t, subject, { ...subject.credentials, apiUrl })
    await expectError(t, subject, adapter.verify(), 'unavailable')
  }
})
