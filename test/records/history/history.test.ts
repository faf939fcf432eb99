import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url, there, domainId } = zone
const base = `/api/domains/${domainId}`
const apply = (changes: object[]) => admin.post(`${url}/apply`, { changes })
const latest = async () => (await admin.get(`${base}/changes?limit=1`)).body.changes[0]
const revert = (id: string) => admin.post(`${base}/changes/${id}/revert`)
const now = async () => {
  // Of the same clock that settles, and later than anything settled before.
  await new Promise((resolve) => setTimeout(resolve, 5))
  return new Date().toISOString()
}

void t.test('changes are listed newest first', async (t) => {
  const { id } = await zone.add('A', 'told', '192.0.2.1')
  await admin.put(`${url}/${id}`, { value: '192.0.2.2', ttl: 600 })
  await admin.delete(`${url}/${id}`)
  const { body } = await admin.get(`${base}/changes`)
  t.match(body, { total: 3, page: 1, limit: 20 })
  const [deleted, updated, created] = body.changes
  t.match(created, {
    source: 'single',
    status: 'applied',
    actor: { id: admin.userId, name: 'root' },
    createdAt: String,
    settledAt: String,
    itemCount: 1,
    items: [{ action: 'create', recordId: id, before: null, after: { name: 'told', value: '192.0.2.1' } }],
  })
  t.match(updated.items, [
    { before: { value: '192.0.2.1', ttl: 300 }, after: { value: '192.0.2.2', ttl: 600 } },
  ])
  t.match(deleted.items, [{ action: 'delete', before: { recordType: 'A' }, after: null, error: null }])
  t.same((await admin.get(`${base}/changes/${updated.id}`)).body, updated)
  t.match(await admin.get(`${base}/changes?page=2&limit=2`), {
    body: { total: 3, changes: [{ id: created.id }] },
  })
  t.match(await admin.get(`${base}/changes/${domainId}`), { status: 404 })
})

void t.test('a change with the unchanged records of its names and types', async (t) => {
  const add = async (value: string, name = 'set') => (await zone.add('A', name, value)).id
  const first = await add('192.0.2.1')
  const second = await add('192.0.2.2')
  const third = await add('192.0.2.3')
  await zone.add('TXT', 'set', 'of another type')
  await add('192.0.2.9', 'elsewhere')
  await admin.put(`${url}/${first}`, { value: '192.0.2.11' })
  const { id } = await latest()
  const stayed = async (change = id) =>
    (await admin.get(`${base}/changes/${change}?unchanged=true`)).body.unchanged.map(
      ({ name, recordType, value }: Record<string, string>) => `${name} ${recordType} ${value}`,
    )
  const then = ['set A 192.0.2.2', 'set A 192.0.2.3']
  t.same(await stayed(), then)
  // What happens afterwards was not so then.
  await admin.put(`${url}/${second}`, { value: '192.0.2.22' })
  t.same(await stayed(), then)
  await admin.put(`${url}/${second}`, { name: 'moved' })
  await admin.delete(`${url}/${third}`)
  const { id: deletion } = await latest()
  await add('192.0.2.4')
  t.same(await stayed(), then)
  t.same(await stayed(deletion), ['set A 192.0.2.11'])
  await admin.put(`${url}/${first}`, { name: 'moved', value: '192.0.2.12' })
  t.same(
    await stayed((await latest()).id),
    ['moved A 192.0.2.22', 'set A 192.0.2.4'],
    'where it came from, and went to',
  )
  t.notOk('unchanged' in (await admin.get(`${base}/changes/${id}`)).body, 'for who asks')
})

void t.test('changes filtered by name, type, user and time', async (t) => {
  const { id } = await zone.add('A', 'sought', '192.0.2.1')
  await zone.add('TXT', 'sought', 'text')
  await admin.put(`${url}/${id}`, { name: 'renamed' })
  const find = async (query: string) => {
    const { body } = await admin.get(`${base}/changes?${query}`)
    t.equal(body.total, body.changes.length, query)
    return body.changes.map(({ items }: { items: { action: string; after: { recordType: string } }[] }) =>
      items.map(({ action, after }) => `${action} ${after.recordType}`).join(),
    )
  }
  t.same(await find('name=sought'), ['update A', 'create TXT', 'create A'], 'that have it or had it')
  t.same(await find('name=sought.example.com.&type=TXT'), ['create TXT'], 'also by the full name')
  t.same(await find('name=renamed'), ['update A'])
  t.same(await find('name=renamed&type=TXT'), [])
  t.same(await find('name=sought&actor=root'), await find(`name=sought&actor=${admin.userId}`))
  t.same(await find('actor=nobody'), [])
  const { createdAt } = (await admin.get(`${base}/changes?name=sought&type=TXT`)).body.changes[0]
  const rounded = new Date(Date.parse(createdAt) + 1).toISOString()
  t.same(await find(`name=sought&to=${rounded}`), ['create TXT', 'create A'])
  t.same(await find(`name=sought&from=${rounded}`), ['update A'])
  t.match(await admin.get(`${base}/changes?from=yesterday`), { status: 400 })
})

void t.test('each kind of change can be reverted', async (t) => {
  const { id } = await zone.add('A', 'undo', '192.0.2.1')
  const created = await latest()
  await admin.put(`${url}/${id}`, { value: '192.0.2.2' })
  const updated = await latest()
  const early = await revert(created.id)
  t.match(early, { status: 409, body: { detail: /undo A .* was changed since/ } })
  const plan = await admin.post(`${base}/changes/${updated.id}/revert?dryRun=true`)
  t.match(plan, {
    status: 200,
    body: { applied: false, changeId: null, updates: [{ recordId: id, after: { value: '192.0.2.1' } }] },
  })
  t.same(there('undo', 'A'), ['192.0.2.2'], 'which only says so')
  t.match(await revert(updated.id), { status: 200, body: { applied: true, updates: [{ recordId: id }] } })
  t.same(there('undo', 'A'), ['192.0.2.1'])
  t.match(await latest(), { source: 'revert' })
  t.match(await revert(updated.id), { status: 409 }, 'it is undone already')

  await admin.delete(`${url}/${id}`)
  t.match(await revert((await latest()).id), {
    status: 200,
    body: { creates: [{ after: { value: '192.0.2.1' } }] },
  })
  t.same(there('undo', 'A'), ['192.0.2.1'])
  t.match(await revert((await latest()).id), { status: 200 }, 'an undoing can be undone')
  t.same(there('undo', 'A'), [])
  t.match(await revert(domainId), { status: 404 })
})

void t.test('a change of many records is reverted in one call', async (t) => {
  const cname = await zone.add('CNAME', 'group', 'x.example.net')
  await apply([
    { action: 'delete', recordId: cname.id },
    { action: 'create', recordType: 'A', name: 'group', value: '192.0.2.1' },
    { action: 'create', recordType: 'A', name: 'group-2', value: '192.0.2.1' },
  ])
  const writes = zone.writes()
  t.match(await revert((await latest()).id), { status: 200 })
  t.equal(zone.writes(), writes + 1)
  t.same([there('group', 'CNAME'), there('group', 'A'), there('group-2', 'A')], [['x.example.net.'], [], []])
})

void t.test('conflicts of a revert are reported', async (t) => {
  const { id } = await zone.add('A', 'blocked', '192.0.2.1')
  await admin.delete(`${url}/${id}`)
  const change = await latest()
  await zone.add('CNAME', 'blocked', 'x.example.net')
  t.match(await revert(change.id), { status: 409, body: { conflicts: [{ detail: /blocked CNAME/ }] } })
  t.same(there('blocked', 'A'), [])
})

void t.test('a restore is planned, then applied', async (t) => {
  const other = await startZone(t, { app: zone })
  const restore = (body: object) => other.admin.post(`/api/domains/${other.domainId}/restore`, body)
  const one = await other.add('A', 'www', '192.0.2.1')
  const two = await other.add('A', 'www', '192.0.2.2')
  await other.add('CNAME', 'alias', 'x.example.net')
  const three = await other.add('TXT', 'text', 'old')
  const then = await other.here()
  const at = await now()

  t.match(await restore({ at }), {
    status: 200,
    body: { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } },
  })
  // One takes the place of the other, so that going back they must change places again.
  await other.admin.delete(`${other.url}/${one.id}`)
  await other.admin.put(`${other.url}/${two.id}`, { value: '192.0.2.1' })
  await other.admin.put(`${other.url}/${three.id}`, { value: 'new', ttl: 60 })
  await other.admin.delete(`${other.url}/${three.id}`)
  const { body } = await other.admin.get(`${other.url}?search=alias`)
  await other.admin.delete(`${other.url}/${body.records[0].id}`)
  await other.add('A', 'alias', '192.0.2.9')
  await other.add('A', 'later', '192.0.2.9')

  const plan = await restore({ at })
  t.match(plan, { status: 200, body: { applied: false, conflicts: { length: 0 } } })
  t.notSame(await other.here(), then)
  t.match(await restore({ at, apply: true }), { status: 200, body: { applied: true } })
  t.same(await other.here(), then)
  t.same(other.there('www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.same([other.there('alias', 'CNAME'), other.there('alias', 'A')], [['x.example.net.'], []])
  t.same(other.there('later', 'A'), [])
  t.match(
    await restore({ at }),
    { body: { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } } },
    'nothing is left to do',
  )

  const wrong = [
    {},
    { at: 'yesterday' },
    { at: '2099-01-01T00:00:00Z' },
    { at: '2000-01-01T00:00:00Z' },
    { at: '2016-12-31T23:59:60Z' },
  ]
  for (const body of wrong) {
    t.match(await restore(body), { status: 400, body: { errors: [{ path: '/at' }] } }, JSON.stringify(body))
  }
})
