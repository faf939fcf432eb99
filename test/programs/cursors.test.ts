import t from 'tap'
import { call, startApp } from '../helpers/app.ts'
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

void t.test('a cursor of another list or order, or that is none, is a 400', async (t) => {
  const of = async (url: string) => (await get(admin.userId, url)).body.nextCursor as string
  const byName = await of('/api/v1/domains?limit=1')
  const undated = Buffer.from(JSON.stringify(['createdAt', 'asc', null, domains[0]])).toString('base64url')
  const bad = [
    ['/api/v1/domains?sort=createdAt', byName],
    ['/api/v1/domains?order=desc', byName],
    ['/api/v1/domains?sort=createdAt', undated],
    ['/api/v1/audit?limit=50', byName],
    [`/api/v1/domains/${domains[0]}/changes?limit=50`, await of('/api/v1/audit?limit=1')],
    ['/api/v1/domains?limit=50', 'nonsense'],
  ]
  for (const [url, cursor] of bad) {
    t.match(await get(admin.userId, `${url}&cursor=${cursor}`), {
      status: 400,
      body: { errors: [{ path: '/cursor' }] },
    })
  }
})
