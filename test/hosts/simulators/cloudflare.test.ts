import t from 'tap'
import { startCloudflareSimulator } from '../../conformance/simulators/cloudflare.ts'

const sim = await startCloudflareSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Shown {
  [field: string]: unknown
  id: string
}
interface Answer {
  result: Shown
  errors: { code: number; error_chain?: { code: number }[] }[]
  result_info: Record<string, number>
}
const call = async (method: string, path: string, body?: unknown, token = sim.token) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${sim.apiUrl}${path}`, { method, headers, ...init })
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

void t.test('pages and filters', async (t) => {
  const paged = sim.createZone('paged.test')
  for (let i = 0; i < 150; i++) paged.post({ type: 'A', name: `h${i}`, content: '192.0.2.1' })
  const path = `/zones/${paged.id}/dns_records`
  const first = await call('GET', path)
  t.match([first.list.length, first.result_info], [100, { page: 1, total_pages: 2, total_count: 150 }])
  t.equal((await call('GET', `${path}?page=2`)).list.length, 50)
  t.equal((await call('GET', `${path}?per_page=5000`)).list.length, 150)
  t.equal((await call('GET', `${path}?name=h7.paged.test&type=A`)).list.length, 1)
  t.equal((await call('GET', `${path}?name.startswith=h14`)).list.length, 11)
})
