import t from 'tap'
import dialect from '../../conformance/simulators/huawei.ts'
import { send, startSimulator } from '../../conformance/simulators/simulator.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Answer {
  status: number
  body: { code?: string; recordsets?: { weight: number }[]; links?: { next?: string } }
}
async function call(method: string, path: string, body?: object, at = sim): Promise<Answer> {
  const answer = await send(at, method, path, body)
  return { status: answer.status, body: answer.body as Answer['body'] }
}
const reader = { ...sim, keyId: sim.readId, secret: sim.readSecret }
const refused = (code: string, status = 400) => ({ status, body: { code, message: /./ } })
const sets = (version = 'v2.1') => `/${version}/zones/${zone.id}/recordsets`
const set = (name: string, more: object = {}) => ({
  name: `${name}.example.test.`,
  type: 'A',
  ttl: 600,
  records: ['192.0.2.1'],
  ...more,
})

void t.test('keys', async (t) => {
  const path = '/v2/zones?type=public&name=a%20b*'
  const gateway = { status: 401, body: { error_code: 'APIGW.0301' } }
  const old = { 'x-sdk-date': new Date(Date.now() - 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '') }
  t.equal((await call('GET', path)).status, 200)
  t.match(await call('GET', path, undefined, { ...sim, secret: 'no' }), gateway)
  t.match(await call('GET', path, undefined, { ...sim, keyId: 'NO' }), gateway)
  t.match(await send(sim, 'GET', path, undefined, old), gateway)
  t.equal((await call('GET', path, undefined, reader)).status, 200)
  t.match(await call('POST', sets(), set('x'), reader), refused('DNS.0013', 403))
})

void t.test('what is refused', async (t) => {
  const cases: [object, string][] = [
    [{ type: 'PTR' }, 'DNS.0307'],
    [{ ttl: 0 }, 'DNS.0319'],
    [{ name: 'x.other.test.' }, 'DNS.0304'],
    [{ records: [] }, 'DNS.0308'],
    [{ records: ['192.0.2.1', '192.0.2.1'] }, 'DNS.0308'],
    [{ type: 'CNAME', records: ['a.test'] }, 'DNS.0308'],
    [{ type: 'TXT', records: ['bare'] }, 'DNS.0308'],
    [{ type: 'TXT', records: ['"say \\"hi\\""'] }, 'DNS.0308'],
    [{ type: 'TXT', records: ['"back\\\\slash"'] }, 'DNS.0308'],
    [{ line: 'Moon' }, 'DNS.0002'],
  ]
  for (const [more, code] of cases)
    t.match(await call('POST', sets(), set('x', more)), refused(code), JSON.stringify(more))
  const [soa, ns] = zone.records
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
