import t from 'tap'
import type { RRset } from '../../../modules/providers/contract.ts'
import { startApp } from '../../helpers/app.ts'
import { addDomain, idOf } from '../../helpers/zone.ts'
import { until } from '../../helpers/until.ts'
import { ManySets } from '../../conformance/simulators/many-sets.ts'

/* A provider with several sets of one name and type, and with more beside records than we have words for. */
const there = new ManySets()
const reconcileTimes = { afterLostAnswer: [0.1, 0.5], sweep: 0.2 }
const { admin } = await startApp(t, { providers: [there.provider], reconcileTimes })
const config = await admin.post('/api/provider-configs', { providerId: there.provider.id, name: 'many' })
const { id: domainId } = await addDomain(admin, idOf(config), 'example.com')
const url = `/api/domains/${domainId}/records`

const europe = { key: 'eu', setIdentifier: 'eu', region: 'eu-west-1', weight: 10 }
const asia = { key: 'cn|telecom', line: 'telecom', weight: 1 }

const www = (value: string, more: Partial<RRset> = {}): RRset => ({
  name: 'www',
  type: 'A',
  ttl: null,
  members: [{ value, ttl: null, comment: 'of the host', extra: { tags: ['a', 1], nested: { on: true } } }],
  ...more,
})

const held = () => structuredClone([...there.rrsets.values()])
const sync = () => admin.post(`/api/domains/${domainId}/sync`)
const list = async (query = '') => (await admin.get(`${url}?search=www${query}`)).body.records

there.put(
  www('192.0.2.1', { routing: europe, extra: { healthCheck: 'hc-1' } }),
  www('192.0.2.1', { routing: asia }),
  { name: 'plain', type: 'A', ttl: null, members: [{ value: '192.0.2.9', ttl: 300, comment: '' }] },
)

void t.test('a sync imports everything, and a second sync finds nothing', async (t) => {
  t.match(await sync(), { status: 200, body: { created: 3 } })
  const records = await list()
  t.match(
    records.map(({ routing, ttl, comment }: Record<string, unknown>) => ({ routing, ttl, comment })),
    [
      { routing: europe, ttl: null, comment: 'of the host' },
      { routing: asia, ttl: null, comment: 'of the host' },
    ].sort((a, b) =>
      records[0].routing.key === a.routing.key ? -1 : records[0].routing.key === b.routing.key ? 1 : 0,
    ),
  )
  t.notOk(JSON.stringify(records).includes('nested'), 'what nobody here can read is not shown')
  t.match(await sync(), { status: 200, body: { created: 0, updated: 0, deleted: 0, unchanged: 3 } })
})

const recordOf = async (key: string) =>
  (await list()).find(({ routing }: { routing: { key: string } | null }) => routing?.key === key)

void t.test('editing one value leaves everything else unchanged, byte for byte', async (t) => {
  const before = held()
  const record = await recordOf('eu')
  const put = await admin.put(`${url}/${record.id}`, { ...record, value: '192.0.2.2' })
  t.match(put, { status: 200, body: { value: '192.0.2.2', routing: europe, ttl: null } })
  const expected = before.map((rrset) =>
    rrset.routing?.key === 'eu'
      ? { ...rrset, members: [{ ...rrset.members[0], value: '192.0.2.2' }] }
      : rrset,
  )
  t.same(held(), expected)
  t.match(await sync(), { body: { updated: 0, unchanged: 3 } })
})

void t.test('a deleted record is reverted with all its data', async (t) => {
  const before = held()
  const record = await recordOf('cn|telecom')
  t.match(await admin.delete(`${url}/${record.id}`), { status: 204 })
  t.equal(held().length, before.length - 1)
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  const reverted = await admin.post(`/api/domains/${domainId}/changes/${body.changes[0].id}/revert`)
  t.match(reverted, { status: 200 })
  const byKey = (rrsets: RRset[]) => new Map(rrsets.map((rrset) => [rrset.routing?.key ?? '', rrset]))
  t.same(byKey(held()), byKey(before))
  t.match(await sync(), { body: { updated: 0, unchanged: 3 } })
})

void t.test('a record joins the named set and takes over its data', async (t) => {
  const made = await admin.post(url, {
    recordType: 'A',
    name: 'www',
    value: '192.0.2.7',
    routing: { key: 'eu' },
  })
  t.match(made, { status: 201, body: { routing: europe } })
  const set = held().find(({ routing }) => routing?.key === 'eu')
  t.match(set, { extra: { healthCheck: 'hc-1' }, members: { length: 2 } })
  const unknown = await admin.post(url, {
    recordType: 'A',
    name: 'www',
    value: '192.0.2.8',
    routing: { key: 'no' },
  })
  t.match(unknown, { status: 400, body: { errors: [{ path: '/routing', code: 'routing_unknown' }] } })
  const twice = await admin.post(url, {
    recordType: 'A',
    name: 'www',
    value: '192.0.2.7',
    routing: { key: 'eu' },
  })
  t.match(twice, { status: 409 })
  t.match(await admin.delete(`${url}/${made.body.id}`), { status: 204 })
})

void t.test(
  'each record has its TTL, or leaves it to the provider; the provider stores comments',
  async (t) => {
    const one = await admin.post(url, {
      recordType: 'A',
      name: 'ttl',
      value: '192.0.2.1',
      ttl: 60,
      comment: 'one',
    })
    const two = await admin.post(url, { recordType: 'A', name: 'ttl', value: '192.0.2.2', ttl: null })
    t.match(
      [one, two],
      [
        { status: 201, body: { ttl: 60, warnings: { length: 0 } } },
        { status: 201, body: { ttl: null, warnings: { length: 0 } } },
      ],
    )
    const set = held().find(({ name }) => name === 'ttl')
    t.same(set?.members, [
      { value: '192.0.2.1', ttl: 60, comment: 'one' },
      { value: '192.0.2.2', ttl: null, comment: '' },
    ])
    t.match(await sync(), { body: { updated: 0 } })
    const put = await admin.put(`${url}/${one.body.id}`, { comment: 'another' })
    t.match(put, { status: 200 })
    t.equal(
      held()
        .find(({ name }) => name === 'ttl')
        ?.members.find(({ value }) => value === '192.0.2.1')?.comment,
      'another',
    )
  },
)

void t.test('changes are serialized if each write replaces the zone', async (t) => {
  there.writeMs = 30
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      admin.post(url, { recordType: 'A', name: `host-${i}`, value: '192.0.2.1' }),
    ),
  )
  there.writeMs = 0
  t.ok(answers.every(({ status }) => status === 201))
  t.equal(there.mostAtWork, 1)
})

void t.test('an accepted change is waited for until it is in effect', async (t) => {
  there.unfinished = 2
  const made = await admin.post(url, { recordType: 'A', name: 'later', value: '192.0.2.1' })
  t.match(made, { status: 201, body: { status: 'active' } })
  t.equal(there.unfinished, -1)
})

void t.test('an uncommitted write is reconciled by a commit', async (t) => {
  there.failingCommits = 1
  const made = await admin.post(url, { recordType: 'A', name: 'force', value: '192.0.2.1' })
  t.match(made, { status: 502 })
  t.equal(there.uncommitted, 1)
  await until('the change is settled', async () => {
    const { body } = await admin.get(`${url}?search=force`)
    return body.records[0]?.status === 'active'
  })
  t.equal(there.uncommitted, 0)
})

void t.test('a zone file has one RRset of a name and lists what it leaves out', async (t) => {
  const { body } = await admin.get(`${url}/export`)
  t.match(body, /; Left out, as they are answered by line, weight or region: 2 records/)
  t.notMatch(body, /^www\t/m)
})
