import t, { type Test } from 'tap'
import { startApp, call, type Answer, type Client } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { HOLDERS, label, TARGETS, type Holder, type Target } from './model.ts'

/**
 * Every path to a domain and its records, for every kind of assignment, on records inside and outside of it.
 * The requests are generated; what comes of each is looked up in model.ts.
 */

const service = await startApp(t)
const { app, admin, addUser, signIn, database } = service
await addUser('owner')
const owner = await signIn('owner')
const config = await addManual(owner)

interface Row {
  name: string
  recordType: string
  id: string
  value: string
  ttl: number
}

interface Item {
  before: Row | null
  after: Row | null
}

/** A and TXT in turns. */
const ONE_OF_EACH_NAME = TARGETS.filter((_, at) => [0, 3].includes(at % 4))

/** Who may write nothing is refused before it is looked at what: to see that, a few targets are enough. */
const written = (holder: Holder, targets: Target[]) =>
  holder.writing === 200 ? targets : targets.slice(0, 3)

const valueOf = ({ type }: Target, mark: string) => (type === 'A' ? '192.0.2.1' : `text of ${mark}`)
const sorted = (labels: string[]) => labels.toSorted()
const labelOf = ({ name, recordType }: { name: string; recordType: string }) => `${name} ${recordType}`
const labels = (rows: { name: string; recordType: string }[]) => sorted(rows.map(labelOf))
const itemLabels = (items: Item[]) =>
  sorted(items.map(({ before, after }) => labelOf((after ?? before) as Row)))
const seenOf = (holder: Holder) => sorted(holder.seen)

/** A domain of the owner's with every target, a user who has that assignment of it, and a token of theirs. */
async function prepare(holder: Holder, at: number) {
  const mark = `mark${at}x`
  const domain = await addDomain(owner, config, `${mark}.example`)
  const url = `/api/domains/${domain.id}`
  const records = TARGETS.map((target) => ({
    recordType: target.type,
    name: target.name,
    value: valueOf(target, mark),
    ttl: 300,
  }))
  await owner.post(`${url}/records/bulk`, { records })
  const { body: hidden } = await owner.post(`${url}/records`, {
    recordType: 'A',
    name: 'other',
    value: '192.0.2.9',
  })
  await owner.delete(`${url}/records/${hidden.id}`)
  await addUser(mark)
  const user = await signIn(mark)
  for (const { pattern, permission } of holder.given.filter((given) => given.pattern !== 'none')) {
    const id = idOf(
      await owner.post('/api/assignments', {
        userId: user.userId,
        domainId: domain.id,
        permission: permission === 'read' ? 'read' : 'write',
        recordTypes: permission === 'write A' ? ['A'] : null,
        subdomainPattern: pattern === 'expired' ? '*' : pattern,
      }),
    )
    if (pattern === 'expired') {
      const past = new Date(Date.now() - 1000)
      await database.db.updateTable('assignments').set({ expires_at: past }).where('id', '=', id).execute()
    }
  }
  const created = await user.post('/api/auth/me/tokens', {
    name: 'all',
    permissions: ['domains:read', 'domains:write', 'records:read', 'records:write'],
  })
  const rows = (await owner.get(`${url}/records?limit=200`)).body.records as Row[]
  return {
    holder,
    mark,
    domain,
    url,
    user,
    token: created.body.token as string,
    idOf: (target: Target) => rows.find((row) => labelOf(row) === label(target))?.id as string,
    all: async () => (await owner.get(`${url}/records?limit=200`)).body.records as Row[],
  }
}

type Case = Awaited<ReturnType<typeof prepare>>

/** A client of the Open API that can be used like one that signed in. */
function openApi({ token }: Case): Pick<Client, 'get' | 'post' | 'put' | 'delete'> {
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (url: string, payload?: unknown) =>
    call(app, {
      method,
      url: url.replace('/api/', '/api/v1/'),
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload: payload as object }),
    })
  return {
    get: (url) => send('GET')(url),
    post: send('POST'),
    put: send('PUT'),
    delete: (url) => send('DELETE')(url),
  }
}

type Caller = ReturnType<typeof openApi>

async function checkReading(t: Test, { holder, mark, url, domain }: Case, user: Caller) {
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

async function checkOtherReading(t: Test, { holder, url, mark, user }: Case) {
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

/** One record at a time, on every target: nothing but what is allowed changes anything. */
async function checkSingle(t: Test, given: Case, user: Caller, targets: Target[]) {
  const { holder, url, mark } = given
  const ttl = 600 + (targets.length % 10)
  const before = await given.all()
  for (const target of targets) {
    const expect = (answer: Answer, status: number, what: string) => {
      t.equal(answer.status, status, `${what} ${label(target)}`)
      if (answer.status === 404) t.notMatch(JSON.stringify(answer.body), new RegExp(`192\\.0|${mark}\\.ex`))
    }
    const there = `${url}/records/${given.idOf(target)}`
    expect(await user.get(there), holder.isStranger || !holder.sees(target) ? 404 : 200, 'read')
    if (!written(holder, targets).includes(target)) continue
    const value = target.type === 'A' ? '192.0.2.77' : `more of ${mark}`
    const body = { recordType: target.type, name: target.name, value }
    const made = await user.post(`${url}/records`, body)
    expect(made, holder.creating(target), 'create')
    if (made.status === 201) expect(await user.delete(`${url}/records/${made.body.id}`), 204, 'delete')
    else expect(await user.delete(there), holder.changing(target, 204), 'delete')
    expect(await user.put(there, { ttl }), holder.changing(target, 200), 'update')
  }
  const isChanged = (row: Row) =>
    targets.some((target) => label(target) === labelOf(row) && holder.mayChange(target))
  const content = ({ id, ttl, value }: Row) => ({ id, ttl, value })
  const expected = before.map((row) => content(isChanged(row) ? { ...row, ttl } : row))
  t.same((await given.all()).map(content), expected, 'nothing else changed')
}

/** A record must not leave what is theirs, nor come into it from elsewhere. */
async function checkMoving(t: Test, given: Case) {
  const { holder, url, user } = given
  for (const from of written(
    holder,
    TARGETS.filter(({ type }) => type === 'A'),
  )) {
    for (const name of ['other', 'app', 'a.dev']) {
      if (holder.mayChange({ name, type: 'A' }) && holder.mayChange(from)) continue
      const answer = await user.put(`${url}/records/${given.idOf(from)}`, { name, value: '192.0.2.50' })
      t.equal(answer.status, holder.changing(from, 403), `${from.name} to ${name}`)
    }
  }
  const apexServers = { recordType: 'NS', name: '@', value: 'ns1.example.net' }
  const refused = (await user.post(`${url}/records`, apexServers)).status
  t.ok([403, 404, 409].includes(refused), `NS at the apex is nobody's: ${refused}`)
}

async function checkMany(t: Test, given: Case) {
  const { holder, url, user } = given
  const entries = TARGETS.map(({ name, type }) => ({
    recordType: type,
    name,
    value: type === 'A' ? '192.0.2.88' : 'bulk',
  }))
  const bulk = await user.post(`${url}/records/bulk`, { records: entries })
  t.equal(bulk.status, holder.writing, 'bulk')
  if (bulk.status === 200) {
    const results = bulk.body.results as { success: boolean; id: string }[]
    t.same(
      results.map(({ success }) => success),
      TARGETS.map(holder.mayChange),
      'bulk',
    )
    for (const { id } of results.filter(({ success }) => success)) await owner.delete(`${url}/records/${id}`)
  }

  const changes = TARGETS.flatMap((target) => [
    { action: 'update', recordId: given.idOf(target), ttl: 900 },
    {
      action: 'create',
      recordType: target.type,
      name: target.name,
      value: target.type === 'A' ? '192.0.2.99' : 'plan',
    },
  ])
  const plan = await user.post(`${url}/records/plan`, { changes })
  t.equal(plan.status, holder.reading, 'plan')
  if (plan.status === 200) {
    const kinds = TARGETS.flatMap((target) => {
      if (holder.mayChange(target)) return [null, null]
      return [holder.sees(target) ? 'forbidden' : 'not_found', 'forbidden']
    })
    const conflicts = plan.body.conflicts as { index: number; kind: string }[]
    const found = changes.map(
      (_, index) => conflicts.find((conflict) => conflict.index === index)?.kind ?? null,
    )
    t.same(found, kinds, 'plan')
  }

  const before = JSON.stringify(await given.all())
  const mine = TARGETS.filter(holder.mayChange)
  const ttls = (targets: Target[], ttl: number) =>
    targets.map((target) => ({ action: 'update', recordId: given.idOf(target), ttl }))
  for (const target of written(holder, ONE_OF_EACH_NAME).filter((target) => !holder.mayChange(target))) {
    const apply = await user.post(`${url}/records/apply`, {
      changes: [...ttls(mine, 901), ...ttls([target], 901)],
    })
    const inTime = holder.sees(target) ? 403 : 409
    t.equal(apply.status, holder.writing === 200 ? inTime : holder.writing, `apply with ${label(target)}`)
    t.notOk(
      JSON.stringify(apply.body).includes(label(target)) && !holder.sees(target),
      'and names nothing hidden',
    )
  }
  t.equal(JSON.stringify(await given.all()), before, 'all or nothing')
  if (mine.length > 0) {
    t.match(await user.post(`${url}/records/apply`, { changes: ttls(mine, 902) }), { status: 200 })
    const changed = (await given.all()).filter(({ ttl }) => ttl === 902)
    t.same(labels(changed), sorted(mine.map(label)))
  }
}

async function checkImport(t: Test, given: Case) {
  const { holder, url, user } = given
  const line = ({ name, type }: Target) =>
    `${name} 300 IN ${type} ${type === 'A' ? '192.0.2.66' : '"imported"'}\n`
  const load = (zonefile: string, more: object) => user.post(`${url}/records/import`, { zonefile, ...more })
  for (const mode of ['merge', 'replace']) {
    const before = JSON.stringify(await given.all())
    const mine = TARGETS.filter(holder.mayChange)
    const dry = await load(TARGETS.map(line).join(''), { mode, dryRun: true })
    t.equal(dry.status, holder.reading, `dry ${mode}`)
    if (dry.status === 200) {
      const { conflicts, creates, deletes } = dry.body.plan
      t.same(
        TARGETS.filter((_, at) => conflicts.some((c: { index: number }) => c.index === at)),
        TARGETS.filter((target) => !holder.mayChange(target)),
      )
      t.equal(creates.length, mine.length)
      t.equal(deletes.length, mode === 'merge' ? 0 : mine.length, `${mode} deletes no more than theirs`)
    }
    for (const target of written(holder, ONE_OF_EACH_NAME).filter((target) => !holder.mayChange(target))) {
      const refused = await load(mine.map(line).join('') + line(target), { mode })
      t.equal(refused.status, holder.writing === 200 ? 403 : holder.writing, `${mode} of ${label(target)}`)
    }
    t.equal(JSON.stringify(await given.all()), before, `${mode} changed nothing`)
  }
}

/** Deletes all that is theirs by an import, takes that back by revert and by restore. */
async function checkHistory(t: Test, given: Case) {
  const { holder, url, user } = given
  const mine = TARGETS.filter(holder.mayChange)
  const everything = labels(await given.all())
  const rest = everything.filter((found) => !mine.some((target) => label(target) === found))
  const then = new Date().toISOString()
  const empty = () => user.post(`${url}/records/import`, { zonefile: '', mode: 'replace' })
  const emptied = await empty()
  t.equal(emptied.status, holder.writing, 'replace by nothing')
  t.same(labels(await given.all()), holder.writing === 200 ? rest : everything)
  if (mine.length > 0) {
    const preview = await user.post(`${url}/changes/${emptied.body.plan.changeId}/revert?dryRun=true`)
    t.same(labels(preview.body.creates.map(({ after }: Item) => after as Row)), sorted(mine.map(label)))
    t.same(labels(await given.all()), rest, 'a dry run does nothing')
    const reverted = await user.post(`${url}/changes/${emptied.body.plan.changeId}/revert`)
    t.equal(reverted.status, 200, 'revert of the own change')
    t.same(labels(await given.all()), everything)
    await empty()
  }
  const plan = await user.post(`${url}/restore`, { at: then })
  t.equal(plan.status, holder.reading, 'restore, the plan')
  if (plan.status === 200) t.equal(plan.body.creates.length, mine.length)
  const restored = await user.post(`${url}/restore`, { at: then, apply: true })
  t.equal(restored.status, holder.writing, 'restore')
  t.same(labels(await given.all()), everything)

  // What the owner did to all records, as far as it is theirs.
  const rows = await given.all()
  const changes = rows.map(({ id }) => ({ action: 'update', recordId: id, ttl: 1234 }))
  const { changeId } = (await owner.post(`${url}/records/apply`, { changes })).body
  const seen = TARGETS.filter(holder.sees)
  const allowed = seen.every(holder.mayChange)
  const foreign = await user.post(`${url}/changes/${changeId}/revert`)
  t.equal(
    foreign.status,
    holder.writing === 200 && !allowed ? 403 : holder.writing,
    'revert of a change of all',
  )
  const untouched = labels((await given.all()).filter(({ ttl }) => ttl === 1234))
  const expected =
    foreign.status === 200 ? everything.filter((found) => !seen.some((s) => label(s) === found)) : everything
  t.same(untouched, expected, 'reverted no more than theirs')
}

async function checkDomain(t: Test, { holder, url, user, domain }: Case) {
  t.equal((await user.post(`${url}/sync`)).status, holder.syncing, 'sync')
  const dry = holder.hasWhole ? 200 : holder.managing
  t.equal((await user.post(`${url}/sync?dryRun=true`)).status, dry, 'dry sync')
  const { managing } = holder
  t.equal((await user.put(url, { groupName: 'stolen' })).status, managing, 'settings')
  t.equal((await user.put(`${url}/expiry`, { expiresAt: null })).status, managing, 'expiry')
  t.equal((await user.put(`${url}/expiry-remind`, { expiryRemindDays: [1] })).status, managing, 'reminders')
  const bulk = await user.put('/api/domains/bulk', { ids: [domain.id], set: { groupName: 'stolen' } })
  t.equal(bulk.status, managing, 'settings of many')
  for (const what of ['copy', 'switch']) {
    const answer = await user.post(`${url}/${what}`, { providerConfigId: config })
    t.equal(answer.status, managing, what)
  }
  t.equal((await user.delete(url)).status, managing, 'deletion')
  t.equal(
    (await user.post(`/api/assignments`, { userId: admin.userId, domainId: domain.id, permission: 'read' }))
      .status,
    managing,
    'passing on',
  )
  t.match((await owner.get(url)).body, { groupName: '', expiryRemindDays: [30, 14, 7, 1] }, 'all as it was')
  t.equal((await user.get(`/api/provider-configs/${config}`)).status, 404, 'the account at the provider')
}

for (const [at, holder] of HOLDERS.entries()) {
  void t.test(`60. ${holder.title}`, async (t) => {
    const given = await prepare(holder, at)
    const program = openApi(given)
    await t.test('reading', (t) => checkReading(t, given, given.user))
    await t.test('reading by the Open API', (t) => checkReading(t, given, program))
    await t.test('search, export, history', (t) => checkOtherReading(t, given))
    await t.test('single changes', (t) => checkSingle(t, given, given.user, TARGETS))
    await t.test('single changes by the Open API', (t) => checkSingle(t, given, program, ONE_OF_EACH_NAME))
    await t.test('moving', (t) => checkMoving(t, given))
    await t.test('bulk, plan, apply', (t) => checkMany(t, given))
    await t.test('import', (t) => checkImport(t, given))
    await t.test('revert, restore', (t) => checkHistory(t, given))
    await t.test('the domain itself', (t) => checkDomain(t, given))
  })
}
