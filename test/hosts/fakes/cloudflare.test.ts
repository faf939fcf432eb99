import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import {
  TYPES,
  bodyOf,
  meaningOf,
  type CloudflareRecord,
} from '../../conformance/simulators/cloudflare-records.ts'
import { startFakeCloudflare } from '../../conformance/simulators/cloudflare.ts'

const fake = await startFakeCloudflare()
t.teardown(() => fake.close())
const zone = fake.createZone('example.test')

interface Shown {
  [field: string]: unknown
  id: string
}
interface Answer {
  result: Shown
  errors: { code: number; error_chain?: { code: number }[] }[]
  result_info: Record<string, number>
}
const call = async (method: string, path: string, body?: unknown, token = fake.token) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${fake.apiUrl}${path}`, { method, headers, ...init })
  const answer = (await response.json()) as Answer
  const list = Array.isArray(answer.result) ? (answer.result as Shown[]) : []
  return { status: response.status, ...answer, list }
}
const records = `/zones/${zone.id}/dns_records`
/** The status, the code, and those of the reasons below. */
const codes = ({ status, errors: [error] }: { status: number } & Pick<Answer, 'errors'>) => [
  status,
  error?.code,
  ...(error?.error_chain ?? []).map(({ code }) => code),
]

void t.test('tokens', async (t) => {
  const wrong = 'w'.repeat(40)
  t.equal((await call('GET', '/user/tokens/verify')).result.status, 'active')
  t.same(codes(await call('GET', '/user/tokens/verify', undefined, wrong)), [401, 1000])
  t.same(codes(await call('GET', '/zones', undefined, wrong)), [403, 9109])
  t.same(codes(await call('GET', records, undefined, wrong)), [403, 10_000])
  t.same(codes(await call('GET', '/zones', undefined, 'short')), [400, 6003, 6111])
  t.equal((await call('GET', records, undefined, fake.readToken)).status, 200)
  t.same(codes(await call('POST', records, {}, fake.readToken)), [403, 10_000])
})

void t.test('zones', async (t) => {
  const made = await call('POST', '/zones', { name: 'made.test', account: {} })
  t.match(made.result, { id: /^[0-9a-f]{32}$/, name: 'made.test', status: 'active' })
  t.same(codes(await call('POST', '/zones', { name: 'made.test' })), [400, 1061])
  t.equal((await call('GET', '/zones?name=made.test')).result_info.total_count, 1)
  t.match((await call('GET', '/zones?name=none.test')).result_info, { total_count: 0, total_pages: 1 })
  t.same(codes(await call('GET', '/zones?per_page=101')), [400, 1004])
  t.same((await call('DELETE', `/zones/${made.result.id}`)).result, { id: made.result.id })
  t.same(codes(await call('GET', `/zones/${made.result.id}/dns_records`)), [404, 7003])
  t.same(codes(await call('GET', '/zones/made.test')), [404, 7003])
})

void t.test('records', async (t) => {
  const made = await call('POST', records, { type: 'CNAME', name: 'Www', content: 'a.example.net.' })
  t.match(made.result, {
    name: 'www.example.test',
    content: 'a.example.net',
    ttl: 1,
    comment: null,
    tags: { length: 0 },
  })
  const path = `${records}/${made.result.id}`
  t.match((await call('PATCH', path, { comment: 'c', ttl: 60 })).result, { comment: 'c', ttl: 60 })
  const put = { type: 'CNAME', name: 'www', content: 'b.example.net', proxied: true, ttl: 600 }
  t.match((await call('PUT', path, put)).result, { comment: null, ttl: 1, proxied: true }, 'replaced whole')
  t.same(codes(await call('POST', records, { ...put, proxied: false })), [400, 81_058])
  const other = { ...put, content: 'c.example.net' }
  t.same(codes(await call('POST', records, other)), [400, 81_053])
  const address = { type: 'A', name: 'www', content: '192.0.2.1' }
  t.same(codes(await call('POST', records, address)), [400, 81_054])
  t.same(codes(await call('POST', records, { ...address, name: 'x', ttl: 59 })), [400, 1004, 9021])
  t.same(codes(await call('POST', records, { ...address, name: 'x', content: 'y' })), [400, 1004, 9005])
  t.same(codes(await call('POST', records, { type: 'ALIAS', name: 'x', content: 'y' })), [400, 1004, 9020])
  const text = { type: 'TXT', name: 'x', content: 't', proxied: true }
  t.same(codes(await call('POST', records, text)), [400, 1004, 9004])
  t.same(
    codes(await call('POST', records, { type: 'CAA', name: 'x', content: '0 issue "a"' })),
    [400, 1004, 9101],
  )
  t.same(codes(await call('POST', records, { type: 'MX', name: 'x', content: 'mx.test' })), [400, 1004, 9101])
  t.same((await call('DELETE', path)).result, { id: made.result.id })
  t.same(codes(await call('DELETE', path)), [404, 81_044])
})

void t.test('text is kept as it was sent, and is the same with quotes', async (t) => {
  for (const content of ['plain "text" \\', '"in quotes"'])
    t.equal((await call('POST', records, { type: 'TXT', name: 'txt', content })).result.content, content)
  t.same(
    codes(await call('POST', records, { type: 'TXT', name: 'txt', content: 'in quotes' })),
    [400, 81_058],
  )
})

void t.test('a batch: deletes, patches, puts, posts, all or nothing', async (t) => {
  const [a, b] = await Promise.all(
    ['1', '2'].map((n) => call('POST', records, { type: 'A', name: 'batch', content: `192.0.2.${n}` })),
  )
  const post = { type: 'CNAME', name: 'batch', content: 'x.example.net' }
  const before = zone.records
  const half = { posts: [post], deletes: [{ id: a?.result.id }] }
  t.same(codes(await call('POST', `${records}/batch`, half)), [400, 81_053])
  t.same(zone.records, before)
  const whole = { posts: [post], deletes: [{ id: a?.result.id }, { id: b?.result.id }] }
  const { result } = await call('POST', `${records}/batch`, whole)
  t.match(result, {
    deletes: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }],
    posts: [{ type: 'CNAME' }],
  })
  const many = { posts: Array.from({ length: 201 }, () => post) }
  t.equal((await call('POST', `${records}/batch`, many)).status, 400)
})

void t.test('pages and filters', async (t) => {
  const paged = fake.createZone('paged.test')
  for (let i = 0; i < 150; i++) paged.post({ type: 'A', name: `h${i}`, content: '192.0.2.1' })
  const path = `/zones/${paged.id}/dns_records`
  const first = await call('GET', path)
  t.match([first.list.length, first.result_info], [100, { page: 1, total_pages: 2, total_count: 150 }])
  t.equal((await call('GET', `${path}?page=2`)).list.length, 50)
  t.equal((await call('GET', `${path}?per_page=5000`)).list.length, 150)
  t.equal((await call('GET', `${path}?name=h7.paged.test&type=A`)).list.length, 1)
  t.equal((await call('GET', `${path}?name.startswith=h14`)).list.length, 11)
})

void t.test('each type that both have goes there and comes back', async (t) => {
  for (const type of RECORD_TYPES.filter((name) => TYPES.includes(name))) {
    const { example } = typeOf(type)
    const { result } = await call('POST', records, { ...bodyOf(type, example), name: `of-${type}` })
    t.equal(meaningOf(result as unknown as CloudflareRecord), example, type)
  }
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeCloudflare({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => fetch(`${narrow.apiUrl}/zones`, { headers: { authorization: `Bearer ${narrow.token}` } })
  t.equal((await get()).status, 200)
  const refused = await get()
  t.same([refused.status, refused.headers.get('retry-after')], [429, '300'])
  t.match(await refused.json(), { errors: [{ code: 10_100 }] })
})
