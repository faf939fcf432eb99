import t from 'tap'
import { sdkHmacSignature } from '../../conformance/simulators/huawei-signature.ts'
import { startHuaweiSimulator } from '../../conformance/simulators/huawei.ts'

const sim = await startHuaweiSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Set {
  id: string
  name: string
  status: string
  weight: number
  records: string[]
}
interface Answer extends Partial<Set> {
  code?: string
  recordsets?: Set[]
  zones?: { id: string; name: string }[]
  links?: { next?: string }
}
interface Signed {
  key?: { accessKey: string; secretKey: string }
  at?: typeof sim
  date?: Date
}
async function call(
  method: string,
  target: string,
  body?: unknown,
  { key = sim, at = sim, date = new Date() }: Signed = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const url = new URL(target, at.apiUrl)
  const headers = {
    'content-type': 'application/json',
    host: url.host,
    'x-sdk-date': date.toISOString().replace(/[-:]|\.\d+/g, ''),
  }
  const signed = Object.keys(headers)
  const signature = sdkHmacSignature({
    secret: key.secretKey,
    method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    signed,
    body: text,
  })
  const authorization = `SDK-HMAC-SHA256 Access=${key.accessKey}, SignedHeaders=${signed.join(';')}, Signature=${signature}`
  const init = text === '' ? {} : { body: text }
  const answer = await fetch(url, { method, headers: { ...headers, authorization }, ...init })
  return { status: answer.status, body: (await answer.json()) as Answer }
}
const refused = (code: string, status = 400) => ({ status, body: { code, message: /./ } })
const sets = (version = 'v2.1') => `/${version}/zones/${zone.id}/recordsets`
const set = (name: string, more: object = {}) => ({
  name: `${name}.example.test.`,
  type: 'A',
  ttl: 600,
  records: ['192.0.2.1'],
  ...more,
})

void t.test('the signature is that of the vectors', async (t) => {
  const signature = sdkHmacSignature({
    secret: 'SKEXAMPLE',
    method: 'POST',
    path: '/v2.1/zones/zone123/recordsets',
    query: new URLSearchParams(),
    headers: {
      'content-type': 'application/json',
      host: 'dns.ap-southeast-1.myhuaweicloud.com',
      'x-sdk-date': '20231114T221320Z',
    },
    signed: ['content-type', 'host', 'x-sdk-date'],
    body: '{"name":"www.example.com.","type":"A","ttl":300,"records":["192.0.2.1"]}',
  })
  t.equal(signature, '6e7d6213e71f94c000625bda2465bc08c98130e068e0f90019a9d52d8ce903bf')
})

void t.test('keys', async (t) => {
  const told = (signed: Signed) => call('GET', '/v2/zones?type=public&name=a%20b*', undefined, signed)
  t.equal((await told({})).status, 200)
  const gateway = { status: 401, body: { error_code: 'APIGW.0301' } }
  const wrong = { accessKey: sim.accessKey, secretKey: 'no' }
  t.match(await told({ key: wrong }), gateway)
  t.match(await told({ key: { ...wrong, accessKey: 'NO' } }), gateway)
  t.match(await told({ date: new Date(Date.now() - 3_600_000) }), gateway)
  t.equal((await told({ key: sim.reader })).status, 200)
  t.match(await call('POST', sets(), set('x'), { key: sim.reader }), refused('DNS.0013', 403))
})

void t.test('what is refused', async (t) => {
  const told = async (more: object) => (await call('POST', sets(), set('x', more))).body.code
  t.equal(await told({ type: 'PTR' }), 'DNS.0307')
  t.equal(await told({ ttl: 0 }), 'DNS.0319')
  t.equal(await told({ name: 'x.other.test.' }), 'DNS.0304')
  t.equal(await told({ records: [] }), 'DNS.0308')
  t.equal(await told({ records: ['192.0.2.1', '192.0.2.1'] }), 'DNS.0308')
  t.equal(await told({ type: 'CNAME', records: ['a.test'] }), 'DNS.0308')
  for (const text of ['bare', '"say \\"hi\\""', '"back\\\\slash"'])
    t.equal(await told({ type: 'TXT', records: [text] }), 'DNS.0308')
  t.equal(await told({ line: 'Moon' }), 'DNS.0002')
  const [soa, ns] = zone.sets
  t.match(soa, { type: 'SOA', records: [/\(1 7200/] })
  t.match(await call('DELETE', `${sets()}/${ns?.id}`), refused('DNS.0317'))
})

void t.test('lines and weights', async (t) => {
  const lines = set('lines')
  t.equal((await call('POST', sets(), lines)).status, 202)
  t.equal((await call('POST', sets(), { ...lines, line: 'Dianxin', weight: 0 })).status, 202)
  t.equal((await call('POST', sets(), { ...lines, line: 'Dianxin', weight: 5 })).status, 202)
  t.match(await call('POST', sets(), { ...lines, line: 'Dianxin' }), refused('DNS.0335'))
  t.match(await call('POST', sets(), { ...lines, weight: 5 }), refused('DNS.0335'))
  const found = await call('GET', `${sets()}?name=lines.example.test.&search_mode=equal&line_id=Dianxin`)
  t.same(
    found.body.recordsets?.map(({ weight }) => weight),
    [0, 5],
  )
  const older = await call('GET', `${sets('v2')}?name=lines`)
  t.match(older.body.recordsets, { length: 3 })
  t.notOk('line' in (older.body.recordsets?.[0] ?? {}))
  const batch = { name: 'many.example.test.', type: 'A' }
  const [one, two] = ['Dianxin', 'Liantong'].map((line) => ({ line, records: ['192.0.2.1'] }))
  t.match(await call('POST', `${sets()}/batch/lines`, { ...batch, lines: [one, two] }), {
    body: { recordsets: [{ line: 'Dianxin' }, { line: 'Liantong' }] },
  })
})

void t.test('pages: the links name another host than the one that was asked', async (t) => {
  const paged = sim.createZone('paged.test')
  for (let i = 0; i < 504; i++) paged.create({ name: `h${i}.paged.test.`, type: 'A', records: ['192.0.2.1'] })
  const path = `/v2.1/zones/${paged.id}/recordsets`
  t.match(await call('GET', `${path}?limit=501`), refused('DNS.0006'))
  t.match(await call('GET', `${path}?marker=none`), refused('DNS.0007'))
  const first = (await call('GET', path)).body
  t.equal(first.recordsets?.length, 500)
  const next = new URL(first.links?.next ?? '')
  t.equal(next.host, 'dns.myhuaweicloud.com')
  const last = (await call('GET', `${next.pathname}${next.search}`)).body
  t.match([last.recordsets?.length, last.links?.next], [6, undefined])
})
