import t from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

interface Item {
  id: string
  name: string
  expiresAt: string | null
  createdAt: string
  recordCount: number
}

const { admin, addUser, signIn, database } = await startApp(t)
const DAY = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

/** A new member with an account of their own. */
async function newcomer(name: string): Promise<{ member: Client; config: string }> {
  await addUser(name)
  const member = await signIn(name)
  return { member, config: await addManual(member) }
}

const names = (body: { domains: Item[] }) => body.domains.map(({ name }) => name)

void t.test('pages, with the exact total', async (t) => {
  const { member, config } = await newcomer('pager')
  t.same((await member.get('/api/domains')).body, {
    domains: [],
    total: 0,
    page: 1,
    limit: 20,
    nextCursor: null,
  })
  for (let i = 0; i < 25; i++) await addDomain(member, config, `d${String(i).padStart(2, '0')}.example`)
  const first = (await member.get('/api/domains')).body
  t.match(first, { total: 25, page: 1, limit: 20 })
  t.equal(first.domains.length, 20)
  const second = (await member.get('/api/domains?page=2')).body
  t.same(
    names(second),
    ['d20', 'd21', 'd22', 'd23', 'd24'].map((name) => `${name}.example`),
  )
  t.same((await member.get('/api/domains?page=3')).body, {
    domains: [],
    total: 25,
    page: 3,
    limit: 20,
    nextCursor: null,
  })
  t.same((await member.get('/api/domains?page=9&limit=5&search=d1')).body, {
    domains: [],
    total: 10,
    page: 9,
    limit: 5,
    nextCursor: null,
  })
  t.equal((await member.get('/api/domains?limit=200')).body.domains.length, 25)
  const wrong = ['page=0', 'page=x', 'page=1.5', 'limit=0', 'limit=201', 'sort=ttl', 'order=up', 'status=new']
  for (const query of wrong) {
    const answer = await member.get(`/api/domains?${query}`)
    t.match(answer, { status: 400, body: { errors: [{ path: `/${query.split('=')[0]}` }] } }, query)
  }
})

void t.test('every order is total: no page repeats or skips a row', async (t) => {
  const { member, config } = await newcomer('sorter')
  const dates = [inDays(100), inDays(200), null]
  for (let i = 0; i < 12; i++) {
    const more = { expiresAt: dates[i % 3] }
    const { id } = await addDomain(member, config, `n${(i * 7) % 12}.example`, more)
    for (let host = 0; host < i % 3; host++) {
      await member.post(`/api/domains/${id}/records`, {
        recordType: 'A',
        name: `h${host}`,
        value: '192.0.2.1',
      })
    }
  }
  await database.db
    .updateTable('domains')
    .set({ created_at: new Date() })
    .where('owner_id', '=', member.userId)
    .execute()
  const keys = {
    name: (item: Item) => item.name,
    expiresAt: (item: Item) => item.expiresAt ?? '9',
    createdAt: (item: Item) => item.createdAt,
    recordCount: (item: Item) => String(item.recordCount),
  }
  for (const [sort, key] of Object.entries(keys)) {
    for (const order of ['asc', 'desc']) {
      const found: Item[] = []
      for (let page = 1; page <= 4; page++) {
        const { body } = await member.get(`/api/domains?limit=3&page=${page}&sort=${sort}&order=${order}`)
        found.push(...body.domains)
      }
      t.equal(new Set(found.map(({ id }) => id)).size, 12, `${sort} ${order}`)
      const sorted = found.map((item) => `${key(item)} ${item.id}`)
      const expected = order === 'asc' ? sorted.toSorted() : sorted.toSorted().toReversed()
      t.same(sorted, expected, `${sort} ${order}`)
    }
  }
})

void t.test('filters, alone and together', async (t) => {
  const { member, config } = await newcomer('filter')
  await addDomain(member, config, 'a.shop', { groupName: 'Prod', tags: ['web', 'eu'] })
  await addDomain(member, config, 'b.shop', { groupName: 'Prod', tags: ['web'] })
  await addDomain(member, config, 'c.shop', { groupName: 'prod', tags: ['Web'] })
  await addDomain(member, config, 'd_e-f.shop'.replace('_', '-'), { tags: ['mail'] })
  const found = async (query: string) => {
    const { body } = await member.get(`/api/domains?${query}`)
    t.equal(body.total, body.domains.length, query)
    return names(body).join(' ')
  }
  t.equal(await found('group=Prod'), 'a.shop b.shop', 'exact')
  t.equal(await found('tag=web'), 'a.shop b.shop')
  t.equal(await found('tag=we'), '')
  t.equal(await found('group='), 'd-e-f.shop')
  t.equal(await found('tag=web&group=Prod&search=A.S'), 'a.shop')
  t.equal(await found('search=.SHOP&tag=mail'), 'd-e-f.shop', 'search ignores case')
  t.equal(await found('search=d-e-f.SH'), 'd-e-f.shop')
  t.equal(await found('search=d-e-f.sx'), '', 'all of the text counts')
  t.equal(await found('search=%25'), '', 'a wildcard of SQL is none here')
  t.equal(await found('search=_'), '')
  t.equal(await found('search=%5C'), '')
  t.equal(await found("search='"), '')
  t.equal(await found('search='), 'a.shop b.shop c.shop d-e-f.shop')
  t.same((await member.get('/api/domains/tags')).body, {
    tags: [
      { name: 'eu', count: 1 },
      { name: 'mail', count: 1 },
      { name: 'web', count: 2 },
      { name: 'Web', count: 1 },
    ].sort((a, b) => Number(a.name > b.name) || -1),
  })
  t.match((await member.get('/api/domains/groups')).body.groups.length, 2)
})

void t.test('the status follows from the dates of this moment', async (t) => {
  const { member, config } = await newcomer('status')
  const cases: [string, object, string][] = [
    ['none', {}, 'active'],
    ['far', { expiresAt: inDays(31) }, 'active'],
    ['near', { expiresAt: inDays(29) }, 'expiring'],
    ['past', { expiresAt: inDays(-1) }, 'expired'],
    ['early', { expiresAt: inDays(99), expiryRemindDays: [100, 1] }, 'expiring'],
    ['late', { expiresAt: inDays(2), expiryRemindDays: [1] }, 'active'],
    ['unreminded', { expiresAt: inDays(29), expiryRemindDays: [] }, 'expiring'],
    ['last-day', { expiresAt: inDays(0.5), expiryRemindDays: [0] }, 'active'],
  ]
  for (const [name, more, status] of cases) {
    t.match(await addDomain(member, config, `${name}.example`, more), { status }, name)
  }
  for (const status of ['active', 'expiring', 'expired']) {
    const { body } = await member.get(`/api/domains?status=${status}`)
    const expected = cases.filter((entry) => entry[2] === status).map(([name]) => `${name}.example`)
    t.same(names(body), expected.sort(), status)
    t.equal(body.total, expected.length)
    const { body: one } = await member.get(`/api/domains?status=${status}&limit=1`)
    t.equal(one.total, expected.length, 'counted')
  }
})

void t.test('a remembered total ends when time passes a date', async (t) => {
  const { member, config } = await newcomer('clock')
  await addDomain(member, config, 'a.example', { expiresAt: inDays(300) })
  const { id } = await addDomain(member, config, 'b.example', { expiresAt: inDays(400) })
  const soon = new Date(Date.now() + 30 * DAY + 1_000)
  await member.put(`/api/domains/${id}/expiry`, { expiresAt: soon.toISOString() })
  const active = async () => (await member.get('/api/domains?status=active&limit=1')).body.total
  const before = await active()
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(0, soon.getTime() - 30 * DAY - Date.now()) + 50),
  )
  t.equal(await active(), 1)
  t.ok(before === 2 || before === 1)
})

void t.test('totals stay exact after every kind of write', async (t) => {
  const { member, config } = await newcomer('totals')
  const total = async (query: string) => (await member.get(`/api/domains?limit=1&${query}`)).body.total
  const check = async (what: string, all: number, web: number, group: number) => {
    t.same([await total(''), await total('tag=web'), await total('group=g')], [all, web, group], what)
  }
  const ids: string[] = []
  for (let i = 0; i < 4; i++) {
    const { id } = await addDomain(member, config, `t${i}.example`, { tags: ['web'], groupName: 'g' })
    ids.push(id)
    await check(`create ${i}`, i + 1, i + 1, i + 1)
  }
  await member.put(`/api/domains/${ids[0]}`, { tags: [] })
  await check('update', 4, 3, 4)
  await member.put('/api/domains/bulk', { ids: ids.slice(0, 2), set: { groupName: 'h' } })
  await check('bulk', 4, 3, 2)
  await member.delete(`/api/domains/${ids[3]}`)
  await check('delete', 3, 2, 1)
  t.equal((await admin.put(`/api/domains/${ids[2]}`, { groupName: '' })).status, 200)
  await check('another person’s update', 3, 2, 0)
  const parallel = Array.from({ length: 8 }, (_, i) => addDomain(member, config, `p${i}.example`))
  await Promise.all([...parallel, member.delete(`/api/domains/${ids[0]}`)])
  await check('parallel writes', 10, 2, 0)
  const counted = await database.db.selectFrom('domains').select('id').execute()
  t.equal((await admin.get('/api/domains?limit=1')).body.total, counted.length, 'the list of all')
})

void t.test('everyone sees their own, administrators all', async (t) => {
  const { member: one, config: configOfOne } = await newcomer('one')
  const { member: two, config: configOfTwo } = await newcomer('two')
  const mine = await addDomain(one, configOfOne, 'isolated-one.example', {
    tags: ['secret'],
    groupName: 'hidden',
  })
  await addDomain(two, configOfTwo, 'isolated-two.example')
  t.same(names((await two.get('/api/domains')).body), ['isolated-two.example'])
  t.equal((await two.get('/api/domains')).body.total, 1)
  t.equal((await two.get('/api/domains?search=isolated')).body.total, 1)
  t.same((await two.get('/api/domains/tags')).body, { tags: [] })
  t.same((await two.get('/api/domains/groups')).body, { groups: [] })
  t.equal((await admin.get('/api/domains?search=isolated')).body.total, 2)
  t.match(await admin.get(`/api/domains/${mine.id}`), { status: 200, body: { access: 'admin' } })
  t.match(await two.get(`/api/domains/${mine.id}`), { status: 404, body: { code: 'not_found' } })
})

void t.test('each row says whose it is, where it lies, and how its syncs go', async (t) => {
  const { admin, addUser, signIn, database } = await startApp(t)
  await addUser('ada')
  const ada = await signIn('ada')
  const config = await addManual(ada, 'Of Ada')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const soon = await addDomain(ada, config, 'soon.example', { expiresAt: inDays(5) })
  await addDomain(ada, config, 'late.example', { expiresAt: inDays(50) })
  const other = await addDomain(admin, await addManual(admin, 'Of root'), 'other.example')
  const find = async (query: string, client = admin) => {
    const { body } = await client.get(`/api/domains?${query}`)
    t.equal(body.total, body.domains.length, query)
    return body.domains.map(({ name }: { name: string }) => name)
  }
  t.match((await admin.get('/api/domains')).body.domains, [
    {
      name: 'late.example',
      access: 'admin',
      owner: { id: ada.userId, username: 'ada' },
      providerKey: 'manual',
    },
    { access: 'owner', owner: { username: 'root' }, providerConfigName: 'Of root', lastSyncedAt: null },
    { providerConfigName: 'Of Ada', lastSyncError: null },
  ])
  t.same(await find(`ownerId=${ada.userId}`), ['late.example', 'soon.example'])
  t.same(await find(`ownerId=${admin.userId}`, ada), [], 'of what is seen')
  t.same(await find(`providerConfigId=${config}`), ['late.example', 'soon.example'])
  t.same(await find(`expiresBefore=${inDays(10)}`), ['soon.example'])
  t.same(await find(`expiresAfter=${inDays(10)}`), ['late.example'])
  t.same(await find('syncFailed=true'), [])
  await database.db
    .updateTable('domains')
    .set({ last_sync_error: 'away' })
    .where('id', '=', soon.id)
    .execute()
  t.same(await find('syncFailed=true'), ['soon.example'])
  t.same(await find('syncFailed=false'), ['late.example', 'other.example'])

  await admin.post('/api/assignments', { userId: ada.userId, domainId: other.id, permission: 'read' })
  t.match((await ada.get('/api/domains?search=other')).body.domains, [
    { access: 'read', owner: { username: 'root' }, providerConfigName: null },
  ])
  t.same(await find(`ownerId=${admin.userId}`, ada), ['other.example'])
})
