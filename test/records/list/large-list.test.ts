import { sql } from 'kysely'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { addDomain, addManual, idOf } from '../../helpers/zone.ts'

const RECORDS = 10_000
const PAGE = 1_000

void t.test('10,000 records by cursor while records are created and deleted', async (t) => {
  const { admin, database } = await startApp(t)
  const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')
  await sql`
    insert into records (id, domain_id, name, type, value, ttl, status)
    select gen_random_uuid(), ${domainId}, 'host-' || i / 3, 'A', '192.0.2.' || i % 3, 300, 'active'
    from generate_series(0, ${RECORDS - 1}::int) as i
  `.execute(database.db)
  await sql`update domains set record_count = ${RECORDS} where id = ${domainId}`.execute(database.db)
  const url = `/api/domains/${domainId}/records`
  const create = async (name: string) =>
    idOf(await admin.post(url, { recordType: 'A', name, value: '192.0.2.9', ttl: 300 }))

  const seen = new Map<string, number>()
  const [came, went] = [new Set<string>(), new Set<string>()]
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { status, body } = await admin.get(`${url}?limit=${PAGE}${cursor && `&cursor=${cursor}`}`)
    t.equal(status, 200)
    const ids = (body.records as { id: string }[]).map(({ id }) => id)
    for (const id of ids) seen.set(id, (seen.get(id) ?? 0) + 1)
    cursor = body.nextCursor
    // Before all that was read, behind all that comes; and away with the row that the cursor stands on.
    for (const name of [`a-${pages}`, `z-${pages}`]) came.add(await create(name))
    const last = ids.at(-1) as string
    went.add(last)
    t.equal((await admin.delete(`${url}/${last}`)).status, 204)
  }

  t.ok(
    [...seen.values()].every((times) => times === 1),
    'no record twice',
  )
  const { rows } = await sql<{ id: string }>`
    select id from records where domain_id = ${domainId} and name like 'host-%'
  `.execute(database.db)
  t.equal(rows.length + [...went].filter((id) => !came.has(id)).length, RECORDS)
  t.same(
    rows.filter(({ id }) => !seen.has(id)),
    [],
    'none that was there all the time is left out',
  )
  t.ok(pages > RECORDS / PAGE)
})
