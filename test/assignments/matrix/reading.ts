import type { Test } from 'tap'
import { label, TARGETS, type Target } from '../model.ts'
import { itemLabels, labels, seenOf, sorted, type Case, type Item, type Program } from './prepare.ts'

export async function checkReading(t: Test, { holder, mark, url, domain }: Case, user: Program) {
  const seen = seenOf(holder)
  const one = await user.get(url)
  t.equal(one.status, holder.reading, 'one domain')
  const list = (await user.get('/api/domains')).body
  t.equal(list.total, holder.isStranger ? 0 : 1, 'domains')
  if (!holder.isStranger) {
    t.match(one.body, { access: holder.mayWrite ? 'write' : 'read', recordCount: seen.length })
    t.match(list.domains, [{ id: domain.id, recordCount: seen.length }])
  }
  const filters: [string, (target: Target) => boolean][] = [
    ['limit=200', () => true],
    ['limit=200&type=TXT', ({ type }) => type === 'TXT'],
    ['limit=200&search=dev', ({ name }) => name.includes('dev')],
    [`limit=200&search=${mark}&in=name,value`, ({ type }) => type === 'TXT'],
    ['limit=200&sort=type&order=desc', () => true],
  ]
  for (const [query, matches] of filters) {
    const expected = sorted(TARGETS.filter((target) => holder.sees(target) && matches(target)).map(label))
    const answer = await user.get(`${url}/records?${query}`)
    t.equal(answer.status, holder.reading, query)
    if (answer.status !== 200) continue
    t.same(labels(answer.body.records), expected, query)
    t.equal(answer.body.total, expected.length, `total of ${query}`)
    const short = (await user.get(`${url}/records?${query.replace('200', '1')}`)).body
    t.equal(short.total, expected.length, `total beside a page of one of ${query}`)
    if (short.nextCursor === null) continue
    const rest = (await user.get(`${url}/records?${query}&cursor=${short.nextCursor}`)).body
    t.same(labels([...short.records, ...rest.records]), expected, `the rest of ${query}`)
  }
  t.notMatch(JSON.stringify(one.body), holder.isStranger ? new RegExp(mark) : /\0/)
}

export async function checkOtherReading(t: Test, { holder, url, mark, owner }: Case, user: Program) {
  const seen = seenOf(holder)
  for (const q of [`text of ${mark}`, `other.${mark}.example`, `a.dev.${mark}.example`]) {
    const found = (await user.get(`/api/records/search?limit=200&q=${encodeURIComponent(q)}`)).body
    const all = (await owner.get(`/api/records/search?limit=200&q=${encodeURIComponent(q)}`)).body
    const expected = labels(all.records).filter((found) => seen.includes(found))
    t.same(labels(found.records), expected, `search for ${q}`)
    t.equal(found.total, expected.length)
  }
  const zone = await user.get(`${url}/records/export`)
  t.equal(zone.status, holder.reading, 'export')
  if (zone.status === 200) {
    const lines = (zone.body as string).split('\n').filter((line) => line.includes('\tIN\t'))
    t.same(sorted(lines.map((line) => [line.split('\t')[0], line.split('\t')[3]].join(' '))), seen, 'export')
  }
  const changes = (await owner.get(`${url}/changes`)).body.changes as { id: string; items: Item[] }[]
  t.equal(changes.length, 3)
  const visible = changes.flatMap(({ id, items }) => {
    const kept = itemLabels(items).filter((item) => seen.includes(item))
    return kept.length > 0 ? [{ id, items: kept }] : []
  })
  const history = await user.get(`${url}/changes`)
  t.equal(history.status, holder.reading, 'history')
  if (history.status === 200) {
    const got = history.body.changes as { id: string; itemCount: number; items: Item[] }[]
    t.same(
      got.map(({ id, items }) => ({ id, items: itemLabels(items) })),
      visible,
      'history',
    )
    t.same(
      got.map(({ itemCount }) => itemCount),
      visible.map(({ items }) => items.length),
      'counts of items',
    )
    t.equal(history.body.total, visible.length)
  }
  const hidden = (await user.get(`${url}/changes?name=other`)).body
  if (history.status === 200) t.equal(hidden.total > 0, seen.includes('other A'), 'changes of a name')
  for (const { id } of changes) {
    const one = await user.get(`${url}/changes/${id}`)
    const expected = visible.find((change) => change.id === id)
    t.equal(one.status, expected ? 200 : 404, 'one change')
    if (expected) t.same(itemLabels(one.body.items), expected.items)
  }
}
