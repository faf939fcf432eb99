import t from 'tap'
import { RCODE, TYPE, type Message } from '../../dns/wire/message.ts'
import { mtaStsFindings } from '../../modules/domain-health/network/mta-sts.ts'
import { serialFindings } from '../../modules/domain-health/network/serials.ts'
import type { AskedServer } from '../../modules/domain-health/network/delegation.ts'
import { OutboundError, type Http, type HttpResponse } from '../../plugins/outbound/http.ts'
import { create } from '../change-requests/reviewed-zone.ts'
import { startApp } from '../helpers/app.ts'
import { record, startDnsServer, type Reply } from '../helpers/dns-server.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* What name servers and resolvers say: a resolver, the servers of "test", and two of "example.test". */

const ZONE = 'example.test'
const soa = (serial: number) => ({
  ...record(ZONE, 'NS', 'ns.example.test'),
  type: TYPE.SOA,
  data: Buffer.concat([
    Buffer.from([0, 0]),
    Buffer.from(new Uint32Array([0, 0, 0, 0, 0]).buffer)
      .fill(0)
      .map((byte, i) => (i < 4 ? (serial >>> (24 - 8 * i)) & 255 : byte)),
  ]),
})
const questionOf = (query: Message) => query.questions[0] ?? { name: '', type: 0 }

let parentNames = ['ns1.example.test', 'ns2.other.test']
let glue = true
const first = await startDnsServer(t, (query) => answerOf(query), { address: '127.0.0.21' })
const { port } = first
const second = await startDnsServer(t, (query) => answerOf(query), { address: '127.0.0.22', port })
const answerOf = (query: Message): Reply => {
  const { type } = questionOf(query)
  const isNs = type === 2
  return {
    isAuthoritative: true,
    answers: isNs
      ? [record(ZONE, 'NS', 'ns1.example.test'), record(ZONE, 'NS', 'ns2.other.test')]
      : type === TYPE.SOA
        ? [soa(7)]
        : [],
  }
}
await startDnsServer(
  t,
  (query): Reply =>
    questionOf(query).type === 43
      ? { isAuthoritative: true }
      : {
          authorities: parentNames.map((name) => record(ZONE, 'NS', name)),
          additionals: glue ? [record('ns1.example.test', 'A', '127.0.0.21')] : [],
        },
  { address: '127.0.0.20', port },
)
const HOSTS: Record<string, Reply> = {
  'ns.test': { answers: [record('ns.test', 'A', '127.0.0.20')] },
  'ns1.example.test': { answers: [record('ns1.example.test', 'A', '127.0.0.21')] },
  'ns2.other.test': { answers: [record('ns2.other.test', 'A', '127.0.0.22')] },
  'alive.azurewebsites.net': { answers: [record('alive.azurewebsites.net', 'A', '192.0.2.1')] },
  'mx.elsewhere.test': {},
  'broken.elsewhere.test': { rcode: RCODE.SERVFAIL },
  ...Object.fromEntries(
    ['one', 'two', 'three'].map((name, i) => [
      `${name}.spf.test`,
      {
        answers: [
          record(
            `${name}.spf.test`,
            'TXT',
            `"v=spf1 ${'a mx '.repeat(2)}include:${['two', 'three', 'one'][i]}.spf.test ~all"`,
          ),
        ],
      },
    ]),
  ),
  'alias.elsewhere.test': {
    rcode: RCODE.NXDOMAIN,
    answers: [record('alias.elsewhere.test', 'CNAME', 'old.trafficmanager.net')],
  },
}
let isUp = true
const resolver = await startDnsServer(t, (query): Reply => {
  if (!isUp) return null
  const { name, type } = questionOf(query)
  if (name === 'test' && type === 2) return { answers: [record('test', 'NS', 'ns.test')] }
  const known = HOSTS[name]
  if (known === undefined) return { rcode: RCODE.NXDOMAIN }
  const isOf = type === 1 || name.endsWith('.spf.test')
  return isOf || known === null || !('answers' in known) ? known : {}
})

const { admin } = await startApp(t, {
  environment: { DNS_RESOLVERS: `127.0.0.1:${resolver.port}` },
  nameServerPort: port,
})
const { id } = await addDomain(admin, await addManual(admin), ZONE)
const check = async () => {
  const { body } = await admin.post(`/api/domains/${id}/health/check`)
  const findings = body.findings as {
    code: string
    name: string
    params: Record<string, string>
    fix: object[] | null
  }[]
  const told = findings
    .filter(({ code }) => /^(delegation|soa|dnssec|target|mail)\./.test(code))
    .map(({ code, name }) => `${code} ${name}`)
    .sort()
  return { told, findings, notChecked: body.notChecked as { codes: string[]; subject: string | null }[] }
}

void t.test('a sound delegation', async (t) => {
  t.match(await check(), { told: { length: 0 }, notChecked: { length: 0 } })
})

void t.test('other names at the parent, and no glue', async (t) => {
  parentNames = ['ns1.example.test']
  t.same((await check()).told, ['delegation.mismatch @'])
  parentNames = ['ns1.example.test', 'ns2.other.test']
  glue = false
  t.same((await check()).told, ['delegation.glue_missing @'])
  glue = true
})

void t.test('servers that refuse, or are silent', async (t) => {
  second.answer = () => ({ rcode: RCODE.REFUSED })
  t.same((await check()).told, ['delegation.lame @'])
  second.answer = () => null
  t.same((await check()).told, ['delegation.unreachable @'])
  isUp = false
  const cut = await check()
  t.same(cut.told, ['delegation.unreachable @'], 'without a network, findings neither go nor come')
  t.ok(cut.notChecked.some(({ codes }) => codes.includes('delegation.unreachable')))
  isUp = true
  second.answer = answerOf
  t.same((await check()).told, [])
})

void t.test('targets elsewhere', async (t) => {
  const changes = [
    create('gone', 'nobody.elsewhere.test', 'CNAME'),
    create('app', 'free.azurewebsites.net', 'CNAME'),
    create('beanstalk', 'mine.eu-west-1.elasticbeanstalk.com', 'CNAME'),
    create('generated', 'mine.eba-x7q2.eu-west-1.elasticbeanstalk.com', 'CNAME'),
    create('chain', 'alias.elsewhere.test', 'CNAME'),
    create('alive', 'alive.azurewebsites.net', 'CNAME'),
    create('mail', '10 mx.elsewhere.test', 'MX'),
    create('unsure', 'broken.elsewhere.test', 'CNAME'),
  ]
  t.equal((await admin.post(`/api/domains/${id}/records/apply`, { changes })).status, 200)
  const { told, findings, notChecked } = await check()
  t.same(told, [
    'mail.mx_without_address mail',
    'target.dangling app',
    'target.dangling beanstalk',
    'target.dangling chain',
    'target.missing generated',
    'target.missing gone',
  ])
  t.match(
    notChecked.map(({ subject }) => subject),
    ['broken.elsewhere.test'],
  )
  const dangling = findings.find(({ name }) => name === 'chain')
  t.match(dangling, { params: { end: 'old.trafficmanager.net', service: 'Microsoft Azure Traffic Manager' } })
  const fixes = findings.filter(({ code }) => code.startsWith('target.')).flatMap(({ fix }) => fix ?? [])
  t.equal((await admin.post(`/api/domains/${id}/records/apply`, { changes: fixes })).status, 200)
  t.same((await check()).told, ['mail.mx_without_address mail'], 'the fixes remove them')
})

void t.test('SPF lookups of included records count', async (t) => {
  const about = async (value: string) => {
    const changes = [create('@', value, 'TXT')]
    const { body } = await admin.post(`/api/domains/${id}/records/apply`, { changes })
    const { told, notChecked } = await check()
    const [made] = body.creates
    const undo = [{ action: 'delete', recordId: made.recordId }]
    t.equal((await admin.post(`/api/domains/${id}/records/apply`, { changes: undo })).status, 200)
    return { told: told.filter((one) => one.includes('spf')), notChecked }
  }
  const asked = resolver.asked.length
  t.same((await about('"v=spf1 a include:one.spf.test -all"')).told, ['mail.spf_lookups @'])
  t.ok(resolver.asked.length - asked < 60, 'counting ends, although the records include each other')
  t.same((await about('"v=spf1 a mx -all"')).told, [])
  t.same((await about('"v=spf1 -all include:one.spf.test"')).told, [], 'terms behind all do not count')
  HOSTS['silent.spf.test'] = null
  const unsure = await about('"v=spf1 include:silent.spf.test -all"')
  t.same(unsure.told, [])
  t.ok(unsure.notChecked.some(({ codes }) => codes.includes('mail.spf_lookups')))
})

void t.test('signatures in the last eighth of their validity', async (t) => {
  const key = Buffer.concat([Buffer.from([1, 1, 3, 13]), Buffer.alloc(64, 7)])
  const signature = (seconds: number) => {
    const now = Math.floor(Date.now() / 1000)
    const head = Buffer.alloc(18)
    head.writeUInt16BE(48, 0)
    head.set([13, 2], 2)
    head.writeUInt32BE(now + seconds, 8)
    head.writeUInt32BE(now - 86_400, 12)
    return Buffer.concat([head, Buffer.from('\x07example\x04test\x00', 'latin1'), Buffer.alloc(64)])
  }
  let left = 3_600
  first.answer = (query) =>
    questionOf(query).type === 48
      ? {
          isAuthoritative: true,
          answers: [
            { ...soa(1), type: 48, data: key },
            { ...soa(1), type: 46, data: signature(left) },
          ],
        }
      : answerOf(query)
  const of = async () => (await check()).told.filter((one) => one.startsWith('dnssec'))
  t.same(await of(), ['dnssec.expiring @', 'dnssec.key_without_ds @'])
  left = 86_400
  t.same(await of(), ['dnssec.key_without_ds @'], 'they were renewed')
  first.answer = answerOf
})

void t.test(
  'a zone that its parent does not delegate is internal, or a finding if it is public',
  async (t) => {
    parentNames = []
    t.ok((await check()).told.includes('delegation.mismatch @'))
    const inner = await addDomain(admin, await addManual(admin, 'inner'), `corp.${ZONE}`)
    const { body } = await admin.post(`/api/domains/${inner.id}/health/check`)
    t.match(body.notChecked, [{ codes: ['delegation.mismatch'], reason: 'internal' }])
    t.notOk(body.findings.some(({ code }: { code: string }) => code.startsWith('delegation')))
    parentNames = ['ns1.example.test', 'ns2.other.test']
  },
)

void t.test('an MTA-STS policy is fetched and compared with the MX', async (t) => {
  const urls: string[] = []
  const judged = async (answer: Partial<HttpResponse> | OutboundError, hosts = ['mx1.example.net']) => {
    const http: Http = {
      async request({ url }) {
        urls.push(url)
        if (answer instanceof OutboundError) throw answer
        return { status: 200, headers: {}, body: '', ...answer }
      },
      async close() {},
    }
    const found = await mtaStsFindings(http, ZONE, hosts, new AbortController().signal)
    return [...found.findings.map(({ subject }) => subject), ...found.unknown.map(({ reason }) => reason)]
  }
  const policy = (mx: string, more = '') =>
    `version: STSv1\r\nmode: enforce\r\nmx: ${mx}\r\nmax_age: 86400\r\n${more}`
  t.same(await judged({ body: policy('*.example.net') }), [])
  t.same(await judged({ body: policy('mx1.example.net', 'later: field\n') }), [])
  t.same(await judged({ body: policy('mx2.example.net') }), ['mx'])
  t.same(await judged({ body: policy('*.net') }), ['mx'], 'an asterisk is one label')
  t.same(await judged({ body: 'version: STSv1\nmode: none\nmax_age: 0' }), [])
  t.same(await judged({ body: '<html>' }), ['policy'])
  t.same(await judged({ body: policy('a').replace('86400', '99999999') }), ['policy'])
  t.same(await judged({ status: 301 }), ['fetch'])
  t.same(await judged(new OutboundError('timeout', 'no answer', false)), ['no_answer'])
  t.equal(urls[0], `https://mta-sts.${ZONE}/.well-known/mta-sts.txt`)
})

void t.test('a server that keeps an old serial for an hour', async (t) => {
  const at = (address: string, serial: number): AskedServer => ({
    name: 'ns',
    server: { address, port: 53 },
    state: 'answers',
    serial,
  })
  const now = new Date()
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const both = [at('192.0.2.1', 1), at('192.0.2.2', 4_294_967_295)]
  const begun = serialFindings(both, {}, now)
  t.same(begun.findings, [], 'it may be transferring')
  t.same(Object.keys(begun.behind), ['192.0.2.2'], 'serials wrap around')
  t.match(serialFindings(both, begun.behind, later(61)).findings, [{ code: 'soa.differs' }])
  const moved = serialFindings([at('192.0.2.1', 5), at('192.0.2.2', 1)], begun.behind, later(61))
  t.same(moved.findings, [], 'it follows')
  t.same(serialFindings([at('192.0.2.1', 5), at('192.0.2.2', 5)], moved.behind, later(90)).behind, {})
})
