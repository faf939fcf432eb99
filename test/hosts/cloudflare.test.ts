import t from 'tap'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import type { Body } from '../conformance/simulators/answers.ts'
import dialect from '../conformance/simulators/cloudflare.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { conformance } from '../conformance/suite/index.ts'

interface Answer {
  result: { id: string; content?: string; length: number }
  errors: { code: number; error_chain?: { code: number }[] }[]
  result_info: Record<string, number>
}

void t.test('Cloudflare', async (t) => {
  const { sim, makeSubject } = await simulate(t, cloudflare, dialect)
  await conformance(t, 'conformance', makeSubject)

  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await send(sim, method, path, body)
    return { status, ...(answer as Answer) }
  }
  const zone = sim.createZone('example.test')
  const records = `/zones/${zone.id}/dns_records`
  const post = (body: Body) => call('POST', records, body)
  /** The status, the code, and those of the reasons below. */
  const codes = ({ status, errors: [error] }: Awaited<ReturnType<typeof call>>) => [
    status,
    error?.code,
    ...(error?.error_chain ?? []).map(({ code }) => code),
  ]

  await t.test('records', async (t) => {
    const made = await post({ type: 'CNAME', name: 'Www', content: 'a.example.net.' })
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
    const address = { type: 'A', name: 'www', content: '192.0.2.1' }
    for (const [wrong, ...expected] of [
      [{ ...put, proxied: false }, 400, 81_058],
      [{ ...put, content: 'c.example.net' }, 400, 81_053],
      [address, 400, 81_054],
      [{ ...address, name: 'x', ttl: 59 }, 400, 1004, 9021],
      [{ ...address, name: 'x', content: 'y' }, 400, 1004, 9005],
      [{ type: 'ALIAS', name: 'x', content: 'y' }, 400, 1004, 9020],
      [{ type: 'TXT', name: 'x', content: 't', proxied: true }, 400, 1004, 9004],
      [{ type: 'CAA', name: 'x', content: '0 issue "a"' }, 400, 1004, 9101],
      [{ type: 'MX', name: 'x', content: 'mx.test' }, 400, 1004, 9101],
    ] as const)
      t.same(codes(await post(wrong)), expected, JSON.stringify(wrong))
    t.same((await call('DELETE', path)).result, { id: made.result.id })
    t.same(codes(await call('DELETE', path)), [404, 81_044])
  })

  await t.test('text is kept as it was sent, and is the same with quotes', async (t) => {
    for (const content of ['plain "text" \\', '"in quotes"'])
      t.equal((await post({ type: 'TXT', name: 'txt', content })).result.content, content)
    t.same(codes(await post({ type: 'TXT', name: 'txt', content: 'in quotes' })), [400, 81_058])
  })

  await t.test('pages and filters', async (t) => {
    const paged = sim.createZone('paged.test')
    for (let i = 0; i < 150; i++) paged.post({ type: 'A', name: `h${i}`, content: '192.0.2.1' })
    const list = (query = '') => call('GET', `/zones/${paged.id}/dns_records${query}`)
    const first = await list()
    t.match([first.result.length, first.result_info], [100, { page: 1, total_pages: 2, total_count: 150 }])
    for (const [query, length] of [
      ['?page=2', 50],
      ['?per_page=5000', 150],
      ['?name=h7.paged.test&type=A', 1],
      ['?name.startswith=h14', 11],
    ] as const)
      t.equal((await list(query)).result.length, length, query)
  })
})
