import type { KyselyPlugin } from 'kysely'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

interface Result {
  success: boolean
  recordType: string | null
  name: string | null
  id?: string
  error?: string
  warnings?: string[]
}

const zone = await startZone(t)
const { admin, url, there } = zone
const bulk = async (records: unknown[]) => {
  const answer = await admin.post(`${url}/bulk`, { records })
  return { ...answer, results: answer.body.results as Result[] }
}
const host = (name: string, value = '192.0.2.1', more: object = {}) => ({
  recordType: 'A',
  name,
  value,
  ttl: 300,
  ...more,
})

void t.test('each entry succeeds or fails by itself, in order', async (t) => {
  await zone.add('CNAME', 'taken', 'x.example.net')
  const { status, body, results } = await bulk([
    host('bulk-a'),
    host('bulk-b', 'no address'),
    { recordType: 'CNAME', name: 'bulk-c', value: 'not a name' },
    host('taken'),
    host('bulk-a'),
    host('bulk-a', '192.0.2.2'),
    { recordType: 'NOPE', name: 'bulk-d', value: 'x' },
    'no object',
    { recordType: 'A', name: 'bulk-e', value: '192.0.2.1', ttl: '300' },
    null,
    { recordType: 'CNAME', name: 'bulk-f', value: 'nowhere.example.com' },
    {},
    host('@'),
    { ...host('bulk-g'), unknown: 1 },
  ])
  t.equal(status, 200)
  t.match(body, { total: 14, succeeded: 4 })
  t.same(
    results.map(({ success }) => success),
    [true, false, false, false, false, true, false, false, false, false, true, false, true, false],
  )
  const errors: [number, RegExp][] = [
    [1, /IPv4/],
    [2, /name/],
    [3, /taken CNAME/],
    [4, /bulk-a A 192.0.2.1 already exists/],
    [6, /recordType/],
    [8, /ttl/],
    [11, /recordType.*name.*value/],
    [13, /unknown/],
  ]
  for (const [i, error] of errors) t.match(results[i]?.error, error)
  t.match(results[0], { recordType: 'A', name: 'bulk-a', id: String })
  t.match(results[6], { recordType: 'NOPE', name: 'bulk-d' })
  t.match(results[7], { recordType: null, name: null, error: String })
  t.match(results[10], { warnings: [/does not exist/] })
  t.same(there('bulk-a', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.match(await admin.get(`${url}?search=bulk-`), { body: { total: 3 } })
})

void t.test('a hundred entries are one call', async (t) => {
  const writes = zone.writes()
  const { body } = await bulk(
    Array.from({ length: 100 }, (_, i) => host(`h${i % 50}.hundred`, `192.0.2.${i}`)),
  )
  t.match(body, { total: 100, succeeded: 100 })
  t.equal(zone.writes(), writes + 1)
  t.equal(there('h7.hundred', 'A').length, 2)
})

void t.test('no entry, or more than a hundred, is an error of the whole request', async (t) => {
  const many = Array.from({ length: 101 }, (_, i) => host(`many${i}`))
  for (const records of [many, [], 'x', undefined]) {
    t.match(await admin.post(`${url}/bulk`, { records }), {
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
  t.match(await admin.get(`${url}?search=many`), { body: { total: 0 } })
})

void t.test('the provider is not called when all entries are wrong', async (t) => {
  const calls = zone.fake.requests.length
  t.match(await bulk([host('w', 'x'), {}]), { status: 200, body: { total: 2, succeeded: 0 } })
  t.equal(zone.fake.requests.length, calls)
})

void t.test('an entry that the provider refuses does not affect the others', async (t) => {
  // PowerDNS knows a record here that we don't: a CNAME in the way.
  const records = [{ content: 'x.example.net.' }]
  zone.fake.patch('example.com', [
    { name: 'h42.other.example.com.', type: 'CNAME', ttl: 60, changetype: 'REPLACE', records },
  ])
  const { body, results } = await bulk(Array.from({ length: 100 }, (_, i) => host(`h${i}.other`)))
  t.match(body, { total: 100, succeeded: 99 })
  t.match(results[42], { success: false, error: /Conflicts with pre-existing RRset/ })
  t.same(there('h43.other', 'A'), ['192.0.2.1'])
  t.match(await admin.get(`${url}?search=.other`), { body: { total: 99 } })
})

void t.test('a provider that is down: every entry says so', async (t) => {
  zone.fake.fail({ kind: 'answer', answer: { status: 401 }, times: Infinity })
  const { body, results } = await bulk([host('down-a'), host('down-b', 'x')])
  zone.fake.heal()
  t.match(body, { total: 2, succeeded: 0 })
  t.match(results, [{ error: /API key/ }, { error: /IPv4/ }])
  t.match(await admin.get(`${url}?search=down-`), { body: { total: 0 } })
})

void t.test('the number of statements does not grow with the number of entries', async (t) => {
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const text = JSON.stringify(node)
      // The settlement looks for work by itself every few seconds; who is told of it is found after the answer.
      if (!text.includes('lease_until < now()') && !text.includes('idempotency_keys')) {
        statements++
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { database } = await startApp(t)
  const counted = await startZone(t, { database: { ...database, db: database.db.withPlugin(counting) } })
  const used = async (work: Promise<{ status: number }>) => {
    statements = 0
    t.equal((await work).status, 200)
    return statements
  }
  const create = (from: number, count: number) =>
    counted.admin.post(`${counted.url}/bulk`, {
      records: Array.from({ length: count }, (_, i) => host(`n${from + i}`)),
    })
  await used(create(0, 1))
  const two = await used(create(1, 2))
  t.equal(await used(create(10, 100)), two)
  t.ok(two < 15, `${two} statements`)

  const { body } = await counted.admin.get(`${counted.url}?limit=103`)
  const changes = body.records.map(({ id }: { id: string }) => ({ action: 'delete', recordId: id }))
  const one = await used(counted.admin.post(`${counted.url}/apply`, { changes: changes.slice(0, 2) }))
  t.equal(await used(counted.admin.post(`${counted.url}/apply`, { changes: changes.slice(2) })), one)
})

void t.test('only the entry with text that cannot be stored fails', async (t) => {
  const entries = ['a\0b', 'half \ud83d', 'good'].map((value, i) => ({
    recordType: 'TXT',
    name: `text-${i}`,
    value,
  }))
  const { status, body, results } = await bulk([...entries, { ...entries[2], name: 'n\0' }])
  t.equal(status, 200)
  t.match(body, { total: 4, succeeded: 1 })
  t.match(results[0], { success: false, name: 'text-0', error: /NUL/ })
  t.match(results[1], { success: false, name: 'text-1', error: /surrogate/ })
  t.match(results[2], { success: true })
  t.match(results[3], { success: false, error: /NUL/ })
})
