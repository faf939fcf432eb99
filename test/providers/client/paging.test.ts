import t from 'tap'
import { byCursor, byNumber, byOffset, linkOf } from '../../../modules/providers/client/paging.ts'
import { rateOf } from '../../../modules/providers/client/rate-headers.ts'
import { failure, ok, start } from './setup.ts'

/* Lists in several answers, and what answers say about rates. */

const MAX = 2_000
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

async function all<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

void t.test('a list is whole at every edge of a page', async (t) => {
  for (const count of [0, 1, 99, 100, 101, 200, 601]) {
    const list = numbers(count)
    const part = (from: number) => list.slice(from, from + 100)
    const pages = Math.max(1, Math.ceil(count / 100))
    const options = { size: 100, max: MAX }
    t.same(await all(byNumber(async (page) => ({ items: part((page - 1) * 100), pages }), options)), list)
    t.same(await all(byNumber(async (page) => ({ items: part((page - 1) * 100) }), options)), list)
    t.same(await all(byNumber(async (page) => ({ items: part(page * 100) }), { ...options, first: 0 })), list)
    t.same(await all(byOffset(async (from) => ({ items: part(from), total: count }), options)), list)
    t.same(await all(byOffset(async (from) => ({ items: part(from) }), options)), list)
    const next = (from: number) => (from + 100 < count ? String(from + 100) : '')
    const cursor = (at = '0') => Promise.resolve({ items: part(Number(at)), next: next(Number(at)) })
    t.same(await all(byCursor(cursor, { max: MAX })), list)
  }
})

void t.test('half of a list is an error, and so is one without end or beyond what is taken', async (t) => {
  const empty = async () => ({ items: [], total: 150, pages: 2 })
  t.match(await failure(all(byNumber(empty, { size: 100, max: MAX }))), { kind: 'unavailable' })
  const short = async (page: number) => ({ items: numbers(page === 1 ? 100 : 40), total: 150, pages: 2 })
  t.match(await failure(all(byNumber(short, { size: 100, max: MAX }))), { kind: 'unavailable' })
  const circle = async () => ({ items: [1], next: 'again' })
  t.match(await failure(all(byCursor(circle, { max: MAX }))), { kind: 'unavailable' })
  const endless = async () => ({ items: numbers(100) })
  t.match(await failure(all(byOffset(endless, { size: 100, max: MAX }))), { kind: 'too_large' })
})

void t.test('the next page by a Link header', async (t) => {
  t.equal(
    linkOf('<https://x/?a=1,2>; rel="prev", <https://x/?c=3>; title="a, b"; rel="next"', 'next'),
    'https://x/?c=3',
  )
  t.equal(linkOf('<https://x/>; rel=next', 'next'), 'https://x/')
  t.equal(linkOf('<https://x/>; rel="last"', 'next'), null)
  t.equal(linkOf(undefined, 'next'), null)
  const { client, server } = await start(t, ({ query }) => {
    const page = Number(query.get('page') ?? 1)
    const link = page < 3 ? { link: `<${server.url}/v1/x?page=${page + 1}>; rel="next"` } : {}
    return { ...ok([page]), headers: { connection: 'close', ...link } }
  })
  const pages = byCursor(
    async (address) => {
      const { body, headers } = await client.read(address ?? '/x')
      return { items: body as number[], next: linkOf(headers['link'], 'next') }
    },
    { max: MAX },
  )
  t.same(await all(pages), [1, 2, 3])
})

const NOW = Date.UTC(2026, 0, 1)
const REPORTS: [headers: Record<string, string>, report: [number, number] | null][] = [
  [{ ratelimit: '"default";r=50;t=30' }, [50, 30_000]],
  [{ ratelimit: '"burst";r=90;t=60, "daily";r=3;t=4000' }, [3, 4_000_000]],
  [{ ratelimit: 'limit=100, remaining=7, reset=5' }, [7, 5_000]],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '12' }, [0, 12_000]],
  [{ 'ratelimit-remaining': '4', 'ratelimit-reset': String(NOW / 1000 + 9) }, [4, 9_000]],
  [{ 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': String(NOW + 9_500) }, [4, 9_500]],
  [{ 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': String(NOW / 1000 - 9) }, [4, 0]],
  [{ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '5' }, null],
  [{ ratelimit: 'nonsense' }, null],
  [{ 'retry-after': '5' }, null],
  [{}, null],
]

void t.test('rates as answers say them', async (t) => {
  for (const [headers, report] of REPORTS) {
    const expected = report && { remaining: report[0], resetMs: report[1] }
    t.same(rateOf(headers, NOW), expected, JSON.stringify(headers))
  }
  const headers = { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': '5', connection: 'close' }
  const { client, reports } = await start(t, [{ ...ok(), headers }])
  await client.read('/')
  t.same(reports, [{ remaining: 2, resetMs: 5_000 }])
})
