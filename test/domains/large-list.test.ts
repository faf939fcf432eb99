import { sql } from 'kysely'
import t from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { addManual } from '../helpers/zone.ts'

const { admin, addUser, signIn, database } = await startApp(t)
const { db } = database

const SORTS = {
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  recordCount: 'record_count',
} as const

/** A new member with that many domains; many share each date and number of records. */
async function addOwner(username: string, domains: number): Promise<Client> {
  await addUser(username)
  const member = await signIn(username)
  const configId = await addManual(member)
  await sql`
    insert into domains (id, name, unicode_name, provider_id, provider_config_id, zone_id, owner_id, group_name,
      tags, expires_at, expiry_remind_days, default_ttl, record_count, created_at)
    select gen_random_uuid(), name, name, gen_random_uuid(), ${configId}, name, ${member.userId}, 'group-' || n % 2,
      array['tag-' || n % 3], case when n % 5 > 0 then now() + make_interval(days => 50 + n % 40) end, '{30}', 3600,
      n % 7, now() - make_interval(hours => n % 50)
    from generate_series(1, ${domains}::int) as n,
      lateral (select to_hex(n * 7919 % 65536) || '-' || n || '.' || ${username} || '.example' as name) as named
  `.execute(db)
  await sql`insert into domain_lists (viewer, total, version) values (${member.userId}, ${domains}, 1)
    on conflict (viewer) do update set total = excluded.total, version = domain_lists.version + 1`.execute(db)
  return member
}

/** They change no answer, and filling them takes most of the time that many domains take. */
async function dropIndexes(): Promise<void> {
  const { rows } = await sql<{ indexname: string }>`
    select indexname from pg_indexes where tablename = 'domains' and indexdef not ilike '% unique %'`.execute(
    db,
  )
  for (const { indexname } of rows) await sql`drop index ${sql.id(indexname)}`.execute(db)
}

/** Assigns the whole of some domains to a user. */
const assign = (userId: string, domainIds: string[]) =>
  db
    .insertInto('assignments')
    .values(
      domainIds.map((domain_id) => ({
        id: crypto.randomUUID(),
        user_id: userId,
        domain_id,
        pattern: '*',
        permission: 'read' as const,
      })),
    )
    .execute()

const idsOf = (body: { domains: { id: string }[] }) => body.domains.map(({ id }) => id)

/** What the user owns or has assigned, read at once and filtered here. */
async function expectedOf(
  userId: string,
  sort: keyof typeof SORTS,
  order: 'asc' | 'desc',
  matches: (row: { name: string; group_name: string; tags: string[] }) => boolean = () => true,
): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select(['id', 'name', 'group_name', 'tags'])
    .where(({ eb, exists, selectFrom, or }) =>
      or([
        eb('owner_id', '=', userId),
        exists(
          selectFrom('assignments')
            .select('assignments.id')
            .whereRef('domain_id', '=', 'domains.id')
            .where('user_id', '=', userId),
        ),
      ]),
    )
    .orderBy(SORTS[sort], order)
    .orderBy('id', order)
    .execute()
  return rows.filter(matches).map(({ id }) => id)
}

const other = await addOwner('other', 30)
const middle = await addOwner('middle', 2_500)
const delegate = await addOwner('delegate', 1_500)
await assign(delegate.userId, (await expectedOf(other.userId, 'name', 'asc')).slice(0, 7))

void t.test('pages far behind are those of the whole list, in every order', async (t) => {
  for (const member of [middle, delegate]) {
    for (const sort of Object.keys(SORTS) as (keyof typeof SORTS)[]) {
      for (const order of ['asc', 'desc'] as const) {
        const expected = await expectedOf(member.userId, sort, order)
        const found: string[] = []
        for (let page = 1; (page - 1) * 190 < expected.length; page++) {
          const { body } = await member.get(`/api/domains?limit=190&page=${page}&sort=${sort}&order=${order}`)
          t.equal(body.total, expected.length)
          found.push(...idsOf(body))
        }
        t.strictSame(found, expected, `${sort} ${order}`)
      }
    }
  }
})

void t.test('with filters, whether few or nearly all match', async (t) => {
  const group = await expectedOf(middle.userId, 'expiresAt', 'desc', (row) => row.group_name === 'group-1')
  for (const page of [1, 5, 11, 13]) {
    const { body } = await middle.get(
      `/api/domains?group=group-1&sort=expiresAt&order=desc&limit=100&page=${page}`,
    )
    t.strictSame(idsOf(body), group.slice((page - 1) * 100, page * 100), `page ${page}`)
    t.equal(body.total, group.length)
  }
  const named = await expectedOf(delegate.userId, 'name', 'asc', ({ name }) => name.includes('.example'))
  for (const page of [1, 6, 8, 9]) {
    const { body } = await delegate.get(`/api/domains?search=.example&limit=200&page=${page}`)
    t.strictSame(idsOf(body), named.slice((page - 1) * 200, page * 200), `page ${page}`)
    t.equal(body.total, named.length)
  }
})

void t.test(
  'a search of one or two characters finds every name with them, of those that are seen',
  async (t) => {
    for (const member of [middle, delegate, other]) {
      for (const search of ['7', 'f', '-', '1f', '9-', 'zz']) {
        for (const tag of [undefined, 'tag-1']) {
          const expected = await expectedOf(
            member.userId,
            'name',
            'desc',
            (row) => row.name.includes(search) && (tag === undefined || row.tags.includes(tag)),
          )
          const query = `search=${search}${tag === undefined ? '' : `&tag=${tag}`}`
          const { body } = await member.get(`/api/domains?limit=200&order=desc&${query}`)
          t.strictSame(idsOf(body), expected.slice(0, 200), query)
          t.equal(body.total, expected.length, query)
        }
      }
    }
  },
)

void t.test('of more than 50,000 domains, what would take seconds is refused with a reason', async (t) => {
  await dropIndexes()
  const large = await addOwner('large', 50_001)
  const deep = await large.get('/api/domains?page=50001&limit=1&sort=createdAt')
  const last = (await expectedOf(large.userId, 'createdAt', 'asc')).at(-1)
  t.strictSame([idsOf(deep.body), deep.body.total], [[last], 50_001], 'without a filter every page is there')

  const refused = async (member: Client, query: string, path: string) =>
    t.match(
      await member.get(`/api/domains?${query}`),
      { status: 400, body: { code: 'validation_failed', errors: [{ path }] } },
      query,
    )
  await refused(large, 'search=a', '/search')
  await refused(large, 'search=ab', '/search')
  await refused(large, 'search=.large&page=26&limit=200', '/page')
  await refused(large, 'status=active&page=5001&limit=1', '/page')
  const reach = await large.get('/api/domains?status=active&page=25&limit=200')
  t.match(reach, { status: 200, body: { total: 50_001 } })
  t.equal(reach.body.domains.length, 200)
  t.match(await large.get('/api/domains?group=group-1&page=12501&limit=2'), {
    status: 200,
    body: { total: 25_001, domains: [{}] },
  })

  t.equal((await other.get('/api/domains?search=a')).status, 200, 'whose own list is short')
  await assign(large.userId, (await expectedOf(other.userId, 'name', 'asc')).slice(0, 1))
  await refused(large, 'page=5001&limit=1', '/page')
  t.equal((await admin.get('/api/domains?search=.large&limit=1')).body.total, 50_001)
})
