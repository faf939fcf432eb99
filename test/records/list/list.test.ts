import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

const { admin } = await startApp(t)
const domain = await addDomain(admin, await addManual(admin), 'example.com')
const url = `/api/domains/${domain.id}/records`

interface Row {
  id: string
  name: string
  recordType: string
  value: string
}

const add = (records: object[]) => admin.post(`${url}/bulk`, { records })
const find = async (query: string): Promise<Row[]> =>
  (await admin.get(`${url}?limit=1000&${query}`)).body.records
const namesOf = (rows: Row[]) => rows.map(({ name }) => name)

/** All pages, each reached from the one before. */
async function walk(query: string, between: () => Promise<unknown> = async () => null): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 50; pages++) {
    const { status, body } = await admin.get(`${url}?limit=3&${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    rows.push(...body.records)
    cursor = body.nextCursor
    await between()
  }
  return rows
}

await add(
  Array.from({ length: 10 }, (_, i) => ({
    recordType: 'A',
    name: `n${i % 4}`,
    value: `192.0.2.${i}`,
    ttl: 300,
  })),
)
await add([
  { recordType: 'AAAA', name: 'six', value: '2001:db8::1' },
  { recordType: 'MX', name: '@', value: '10 Mail-of.example.net' },
  { recordType: 'TXT', name: 'txt', value: 'mail 100% of_it' },
])

void t.test('a cursor leads through all rows once, in every order', async (t) => {
  for (const sort of ['name', 'type', 'createdAt']) {
    for (const order of ['asc', 'desc']) {
      const query = `sort=${sort}&order=${order}`
      t.same(await walk(query), await find(query), query)
    }
  }
  const typed = await walk('type=A&search=n1')
  t.same(typed, await find('type=A&search=n1'))
  t.equal(typed.length, 3)
})

void t.test('rows created or deleted meanwhile do not move others', async (t) => {
  const before = await find('')
  let number = 0
  const rows = await walk('', () =>
    add([{ recordType: 'A', name: 'a0', value: `198.51.100.${number++}`, ttl: 300 }]),
  )
  t.same(
    namesOf(rows).filter((name) => name !== 'a0'),
    namesOf(before),
  )
  t.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { id } of await find('search=a0')) await admin.delete(`${url}/${id}`)
})

void t.test('the total with a cursor is that of the whole list', async (t) => {
  const first = (await admin.get(`${url}?limit=3&type=A`)).body
  t.match(await admin.get(`${url}?limit=200&type=A&cursor=${first.nextCursor}`), {
    body: { total: 10, nextCursor: null },
  })
})

void t.test('an invalid cursor, or one of another order, is refused', async (t) => {
  const { nextCursor } = (await admin.get(`${url}?limit=3`)).body
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const id = domain.id
  const wrong: [cursor: string, query?: string][] = [
    ['x'],
    [nextCursor, '&order=desc'],
    [nextCursor, '&sort=type'],
    [encode(['name', 'asc', 'a', 'no id'])],
    [encode(['name', 'asc', 'a\0', id])],
    [encode(['name', 'asc', { a: 1 }, id])],
    [encode(['createdAt', 'asc', '2026-99-99T00:00:00+00:00', id]), '&sort=createdAt'],
    [encode(['createdAt', 'asc', 'now', id]), '&sort=createdAt'],
    [encode(null)],
  ]
  for (const [cursor, query = ''] of wrong) {
    t.match(
      await admin.get(`${url}?cursor=${cursor}${query}`),
      { status: 400, body: { code: 'validation_failed', errors: [{ path: '/cursor' }] } },
      cursor,
    )
  }
})

void t.test('several types, and a search of values', async (t) => {
  t.same(namesOf(await find('type=AAAA&type=MX')), ['@', 'six'])
  t.same(namesOf(await find('type=MX')), ['@'], 'or one')
  t.same(namesOf(await find('search=mail')), [], 'names alone, unless said')
  t.same(namesOf(await find('search=MAIL&in=value')), ['@', 'txt'])
  t.same(namesOf(await find('search=%25&in=value')), ['txt'], 'a percent sign is one')
  t.same(namesOf(await find('search=_&in=name,value')), ['txt'], 'and so is an underscore')
  t.same(namesOf(await find('search=tx&in=name,value')), ['txt'])
  const { body } = await admin.get(`${url}?search=192.0.2&in=value&limit=2&page=2`)
  t.match(body, { total: 10, records: { length: 2 } })
  for (const query of [
    'type=A&type=A',
    'type=X',
    'type=A&type=X',
    'in=comment',
    'search=a&search=b',
    'limit=1001',
  ]) {
    t.equal((await admin.get(`${url}?${query}`)).status, 400, query)
  }
})
