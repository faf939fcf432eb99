import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startZone, unsettled } from '../../helpers/zone.ts'

const zone = await startZone(t, { reconcileTimes: { afterLostAnswer: [1, 2], sweep: 0.5 } })
const { admin, url, there } = zone
const plan = (changes: object[]) => admin.post(`${url}/plan`, { changes })
const apply = (changes: object[]) => admin.post(`${url}/apply`, { changes })
const create = (name: string, recordType: string, value: string, more: object = {}) => ({
  action: 'create',
  name,
  recordType,
  value,
  ...more,
})
const remove = (recordId: string) => ({ action: 'delete', recordId })
const at = async (name: string) => {
  const { body } = await admin.get(`${url}?search=${name}`)
  const records = body.records as { recordType: string; value: string; status: string }[]
  return records.map(({ recordType, value, status }) => `${recordType} ${value} ${status}`).sort()
}

void t.test('a plan says what would happen and does nothing', async (t) => {
  const { id } = await zone.add('A', 'plan', '192.0.2.1')
  const calls = zone.fake.requests.length
  const answer = await plan([
    create('plan', 'A', '192.0.2.2', { ttl: 600 }),
    create('plan', 'CNAME', 'x.example.net'),
    create('new', 'CNAME', 'nowhere.example.com'),
    { action: 'update', recordId: id, value: 'no address' },
    remove('0192f0a0-0000-7000-8000-0000000000ff'),
    { action: 'update', recordId: id, ttl: 60, version: 9 },
  ])
  t.match(answer, {
    status: 200,
    body: {
      creates: [
        { index: 0, before: null, after: { name: 'plan', recordType: 'A', value: '192.0.2.2', ttl: 600 } },
        { index: 2, after: { recordType: 'CNAME' } },
      ],
      updates: [{ index: null, recordId: id, before: { ttl: 300 }, after: { ttl: 600 } }],
      deletes: { length: 0 },
      applied: false,
      changeId: null,
    },
  })
  t.same(
    answer.body.conflicts.map(({ index, kind }: { index: number; kind: string }) => [index, kind]).sort(),
    [
      [1, 'conflict'],
      [3, 'invalid'],
      [4, 'not_found'],
      [5, 'outdated'],
    ],
  )
  const conflictOf = (index: number) =>
    answer.body.conflicts.find((conflict: { index: number }) => conflict.index === index)
  t.match(
    conflictOf(3).errors,
    [{ path: '/value', message: /IPv4/, code: 'ipv4_address' }],
    'what is wrong where',
  )
  t.match(conflictOf(1), {
    code: 'cname_alone',
    params: { recordType: 'A', name: 'plan', value: '192.0.2.1' },
  })
  t.match(conflictOf(4), { code: 'not_found', params: {} })
  t.match(conflictOf(5), { code: 'outdated', params: { version: 1 } })
  const said = answer.body.warnings.map(({ index, code }: { index: number; code: string }) => [index, code])
  t.same(said.sort(), [
    [0, 'ttl_aligned'],
    [2, 'target_missing'],
  ])
  t.match(answer.body.warnings, [
    { params: { name: 'plan', recordType: 'A', ttl: 600 } },
    { params: { name: 'new' } },
  ])
  t.match(conflictOf(5).current, {
    id,
    version: 1,
    name: 'plan',
    recordType: 'A',
    value: '192.0.2.1',
    ttl: 300,
  })
  t.notOk('current' in conflictOf(3) || 'errors' in conflictOf(5))
  t.equal(answer.body.warnings.length, 2)
  t.equal(zone.fake.requests.length, calls)
  t.same(await at('plan'), ['A 192.0.2.1 active'])
  t.match(await plan([{ action: 'create' }, { action: 'delete' }]), {
    status: 400,
    body: { errors: [{ path: '/changes/0/recordType' }, {}, {}, { path: '/changes/1/recordId' }] },
  })
  for (const changes of [
    [],
    'x',
    [{}],
    [{ action: 'drop' }],
    Array.from({ length: 1001 }, () => create('x', 'A', 'y')),
  ]) {
    t.match(await admin.post(`${url}/plan`, { changes }), { status: 400 })
  }
})

void t.test('all or nothing', async (t) => {
  const { id } = await zone.add('A', 'atomic', '192.0.2.1')
  const writes = zone.writes()
  const refused = await apply([
    create('atomic-2', 'A', '192.0.2.2'),
    create('atomic', 'CNAME', 'x.example.net'),
  ])
  t.match(refused, {
    status: 409,
    body: { code: 'conflict', conflicts: [{ index: 1, kind: 'conflict', recordId: id }] },
  })
  const invalid = await apply([create('atomic-2', 'A', '192.0.2.2'), create('atomic-3', 'A', 'x')])
  t.match(invalid, { status: 400, body: { errors: [{ path: '/changes/1/value' }] } })
  t.equal(zone.writes(), writes)
  t.same(await at('atomic-2'), [])
  const done = await apply([
    create('atomic-2', 'A', '192.0.2.2'),
    create('atomic-3', 'TXT', 'x'),
    { action: 'update', recordId: id, value: '192.0.2.9' },
  ])
  t.match(done, { status: 200, body: { applied: true, changeId: String, conflicts: { length: 0 } } })
  t.equal(zone.writes(), writes + 1, 'one call')
  t.same(
    [there('atomic', 'A'), there('atomic-2', 'A'), there('atomic-3', 'TXT')],
    [['192.0.2.9'], ['192.0.2.2'], ['"x"']],
  )
})

void t.test('a CNAME is replaced by something else in one call', async (t) => {
  const { id } = await zone.add('CNAME', 'swap', 'x.example.net')
  t.match(await apply([create('swap', 'A', '192.0.2.1'), remove(id)]), { status: 200 })
  t.same([there('swap', 'CNAME'), there('swap', 'A')], [[], ['192.0.2.1']])
  t.same(await at('swap'), ['A 192.0.2.1 active'])
})

void t.test('two records swap their values', async (t) => {
  const one = await zone.add('A', 'chain', '192.0.2.1')
  const two = await zone.add('A', 'chain', '192.0.2.2')
  const chain = await apply([
    { action: 'update', recordId: two.id, value: '192.0.2.3' },
    { action: 'update', recordId: one.id, value: '192.0.2.2' },
    create('chain', 'A', '192.0.2.1'),
  ])
  t.match(chain, { status: 200, body: { applied: true } })
  t.same(there('chain', 'A'), ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  t.same(await at('chain'), ['A 192.0.2.1 active', 'A 192.0.2.2 active', 'A 192.0.2.3 active'])
  const again = await apply([remove(two.id), create('chain', 'A', '192.0.2.3', { ttl: 900 })])
  t.match(again, { status: 200 })
  t.same(there('chain', 'A'), ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  const { body } = await admin.get(`${url}?search=chain`)
  t.same(
    body.records.map(({ ttl }: { ttl: number }) => ttl),
    [900, 900, 900],
  )
})

void t.test('a provider that refuses leaves everything as it was', async (t) => {
  const { id } = await zone.add('CNAME', 'refused', 'x.example.net')
  const other = await zone.add('A', 'refused-2', '192.0.2.1')
  const error = JSON.stringify({ error: 'RRset refused: because' })
  zone.fake.fail({ on: 'write', kind: 'answer', answer: { status: 422, body: error } })
  const answer = await apply([
    remove(id),
    create('refused', 'A', '192.0.2.1'),
    { action: 'update', recordId: other.id, value: '192.0.2.2' },
  ])
  t.match(answer, { status: 502, body: { code: 'provider_rejected', detail: /because/, changeId: String } })
  t.same(await at('refused'), ['A 192.0.2.1 active', 'CNAME x.example.net active'])
  t.same(await unsettled(zone), [0, 0, 0])
  t.match(await admin.get(`/api/domains/${zone.domainId}/changes/${answer.body.changeId}`), {
    body: { status: 'failed', items: [{ outcome: 'failed', error: /because/ }] },
  })
})

void t.test('interdependent changes with a lost answer are reconciled', async (t) => {
  const make = async (name: string) => {
    const [one, two] = [await zone.add('A', name, '192.0.2.1'), await zone.add('A', name, '192.0.2.2')]
    return [
      remove(one.id),
      { action: 'update', recordId: two.id, value: '192.0.2.1' },
      create(name, 'A', '192.0.2.3'),
    ]
  }
  const [lost, done] = [await make('lost'), await make('done')]
  zone.fake.fail({ on: 'write', kind: 'answer', answer: { status: 500 } })
  t.match(await apply(lost), { status: 502 })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await apply(done), { status: 502 })
  await until('settlement', async () => (await unsettled(zone)).every((count) => count === 0))
  t.same(await at('lost'), ['A 192.0.2.1 active', 'A 192.0.2.2 active'])
  t.same(await at('done'), ['A 192.0.2.1 active', 'A 192.0.2.3 active'])
  t.same(
    [there('lost', 'A'), there('done', 'A')],
    [
      ['192.0.2.1', '192.0.2.2'],
      ['192.0.2.1', '192.0.2.3'],
    ],
  )
  const { body } = await admin.get(`/api/domains/${zone.domainId}/changes?limit=2`)
  t.same(
    body.changes.map(({ status }: { status: string }) => status),
    ['applied', 'failed'],
  )
})

void t.test('an empty plan makes no change', async (t) => {
  const { id } = await zone.add('A', 'idle', '192.0.2.1')
  const writes = zone.writes()
  t.match(await apply([{ action: 'update', recordId: id, ttl: 300 }]), {
    status: 200,
    body: { applied: false, changeId: null },
  })
  t.equal(zone.writes(), writes)
})
