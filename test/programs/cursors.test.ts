import t from 'tap'
import { call, startApp } from '../helpers/app.ts'
import { operationsOf, type OpenApiDocument } from '../helpers/openapi.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const { app, admin, addUser, signIn } = await startApp(t)
await addUser('member')
const member = await signIn('member')
const [own, foreign] = [await addManual(member), await addManual(admin)]

/** Domains with and without a date, of as many records, own ones and one that was assigned. */
const DATES = ['2031-01-01T00:00:00.000Z', null, '2030-01-01T00:00:00.000Z', null, '2031-01-01T00:00:00.000Z']
const domains: string[] = []
for (const [at, expiresAt] of DATES.entries()) {
  domains.push((await addDomain(member, own, `d${(at * 3) % 5}.example`, { expiresAt })).id)
}
const assigned = await addDomain(admin, foreign, 'd9.example')
await admin.post('/api/assignments', {
  userId: member.userId,
  domainId: assigned.id,
  permission: 'read',
})
for (const value of ['1', '2', '3', '4', '5']) {
  await member.post(`/api/domains/${domains[0]}/records`, { recordType: 'TXT', name: 'x', value })
}
await member.post(`/api/domains/${domains[3]}/records`, { recordType: 'TXT', name: 'x', value: '1' })

const tokens = new Map<string, string>()
for (const client of [admin, member]) {
  const permissions = ['domains:read', 'records:read', 'audit:read']
  const { body } = await client.post('/api/auth/me/tokens', { name: 'test', permissions })
  tokens.set(client.userId, body.token)
}

const get = (userId: string, url: string) =>
  call(app, { url, headers: { authorization: `Bearer ${tokens.get(userId)}` } })

/** The ids of all pages of two. */
async function walk(userId: string, url: string, rows: string): Promise<string[]> {
  const ids: string[] = []
  let next: string | null = ''
  for (let pages = 0; next !== null && pages < 50; pages++) {
    const { status, body } = await get(userId, `${url}limit=2${next && `&cursor=${next}`}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    ids.push(...body[rows].map(({ id }: { id: string }) => id))
    next = body.nextCursor
  }
  return ids
}

async function check(userId: string, url: string, rows: string, least: number) {
  const all = (await get(userId, `${url}limit=200`)).body
  t.ok(all.total >= least && all[rows].length === all.total, url)
  t.same(
    await walk(userId, url, rows),
    all[rows].map(({ id }: { id: string }) => id),
    url,
  )
}

void t.test('domains are led through by key, in each order, with assigned ones and by a filter', async () => {
  for (const sort of ['name', 'expiresAt', 'createdAt', 'recordCount']) {
    for (const order of ['asc', 'desc']) {
      await check(member.userId, `/api/v1/domains?sort=${sort}&order=${order}&`, 'domains', 6)
    }
  }
  await check(admin.userId, '/api/v1/domains?sort=expiresAt&', 'domains', 6)
  await check(member.userId, '/api/v1/domains?search=example&', 'domains', 6)
})

void t.test('and so are the history and the audit trail', async () => {
  await check(member.userId, `/api/v1/domains/${domains[0]}/changes?`, 'changes', 5)
  await check(admin.userId, '/api/v1/audit?', 'entries', 8)
})

void t.test('what came meanwhile moves nothing', async (t) => {
  const url = `/api/v1/domains/${domains[0]}/changes?limit=2`
  const first = (await get(member.userId, url)).body
  await member.post(`/api/domains/${domains[0]}/records`, { recordType: 'TXT', name: 'y', value: 'new' })
  const second = (await get(member.userId, `${url}&cursor=${first.nextCursor}`)).body
  const ids = [...first.changes, ...second.changes].map(({ id }) => id)
  t.equal(new Set(ids).size, 4)
})

void t.test('a search is led through by key, too', async () => {
  await check(member.userId, '/api/v1/records/search?q=d0.example&', 'records', 0)
  await check(member.userId, '/api/v1/records/search?q=x&', 'records', 6)
  await check(admin.userId, '/api/v1/records/search?q=x&', 'records', 6)
})

/** A plan over several domains, so that it has pages. Answers its id. */
async function addPlan(value: string): Promise<string> {
  const find = { type: 'TXT', value: '1' }
  const { status, body } = await member.post('/api/records/replace', { find, replaceWith: { value } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.planId
}

/** Per list: where the cursor comes from, and the same list with another parent, filter or order. */
async function places(): Promise<Record<string, { from: string; same: string[]; others: string[] }>> {
  for (const id of [domains[0], domains[3]]) {
    const records = ['1', '2'].map((value) => ({ recordType: 'TXT', name: 'plans', value }))
    await member.post(`/api/domains/${id}/records/bulk`, { records })
  }
  const plans = [await addPlan('3'), await addPlan('4')]
  const [one, two] = [`/domains/${domains[0]}`, `/domains/${domains[3]}`]
  const since = '2020-01-01T00:00:00.000Z'
  return {
    '/domains': {
      from: '/domains?search=d',
      same: ['/domains?order=asc&sort=name&search=d'],
      others: [
        '/domains',
        '/domains?search=e',
        '/domains?search=d&order=desc',
        '/domains?search=d&sort=createdAt',
      ],
    },
    '/domains/{id}/records': {
      from: `${one}/records?type=TXT&type=A`,
      same: [`${one}/records?type=A&type=TXT&data=true`],
      others: [
        `${two}/records?type=TXT&type=A`,
        `${one}/records?type=TXT`,
        `${one}/records?type=TXT&type=A&order=desc`,
        `${one}/records?type=TXT&type=A&search=x`,
      ],
    },
    '/domains/{id}/changes': {
      from: `${one}/changes?type=TXT`,
      same: [],
      others: [`${two}/changes?type=TXT`, `${one}/changes`, `${one}/changes?type=TXT&from=${since}`],
    },
    '/audit': { from: '/audit?action=domain.*', same: [], others: ['/audit', '/audit?action=auth.*'] },
    '/records/search': { from: '/records/search?q=x', same: [], others: ['/records/search?q=example'] },
    '/records/plans/{id}': {
      from: `/records/plans/${plans[0]}`,
      same: [],
      others: [`/records/plans/${plans[1]}`],
    },
  }
}

const withQuery = (url: string, more: string) => `${url}${url.includes('?') ? '&' : '?'}${more}`

void t.test('a cursor belongs to its list, parent, filter and order', async (t) => {
  const lists = await places()
  const { body: document } = await call(app, { url: '/openapi.json' })
  const described = operationsOf(document as OpenApiDocument).filter(({ operation }) =>
    operation.parameters?.some(({ name, in: place }) => name === 'cursor' && place === 'query'),
  )
  const paths = new Set(described.map(({ path }) => path.replace(/^\/api(\/v1)?/, '')))
  t.same(paths, new Set(Object.keys(lists)), 'every list with a cursor is checked')

  const cursors = new Map<string, string>()
  for (const [list, { from }] of Object.entries(lists)) {
    const client = list === '/audit' ? admin : member
    const { status, body } = await client.get(withQuery(`/api${from}`, 'limit=1'))
    t.equal(status, 200, from)
    t.type(body.nextCursor, 'string', from)
    cursors.set(list, body.nextCursor)
  }
  for (const [list, { from, same, others }] of Object.entries(lists)) {
    const client = list === '/audit' ? admin : member
    const ask = (url: string, cursor = '') =>
      client.get(withQuery(`/api${url}`, `limit=2&cursor=${encodeURIComponent(cursor)}`))
    for (const url of [from, ...same]) t.equal((await ask(url, cursors.get(list))).status, 200, url)
    const foreign = [...cursors]
      .filter(([other]) => other !== list)
      .map(([, cursor]) => [from, cursor] as const)
    const wrong = [
      ...others.map((url) => [url, cursors.get(list)] as const),
      ...foreign,
      ...['nonsense', '0', Buffer.from('["x",null,"x"]').toString('base64url')].map(
        (c) => [from, c] as const,
      ),
    ]
    for (const [url, cursor] of wrong) {
      t.match(
        await ask(url, cursor),
        { status: 400, body: { code: 'validation_failed', errors: [{ path: '/cursor', code: 'cursor' }] } },
        `${url} ${cursor}`,
      )
    }
  }
})
