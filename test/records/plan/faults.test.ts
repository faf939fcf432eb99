import t from 'tap'
import type { Fault } from '../../conformance/simulators/server.ts'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { startZone, unsettled, type Zone } from '../../helpers/zone.ts'

// Long enough for a slow machine, and what never answers is waited for in parallel.
const app = await startApp(t, {
  providerBudgetMs: 5_000,
  reconcileTimes: { afterLostAnswer: [2, 3], sweep: 0.5 },
})
t.jobs = 8

const post = ({ admin, url }: Zone, name: string, value = '192.0.2.1') =>
  admin.post(url, { recordType: 'A', name, value, ttl: 300 })
const found = async ({ admin, url }: Zone, name: string) =>
  (await admin.get(`${url}?search=${name}`)).body.records as { id: string; value: string; status: string }[]
const change = async ({ admin, domainId }: Zone, id: string) =>
  (await admin.get(`/api/domains/${domainId}/changes/${id}`)).body
const settled = (zone: Zone) =>
  until('settlement', async () => (await unsettled(zone)).every((count) => count === 0))

/** Makes the provider misbehave while `work` is done. */
async function during<T>({ fake }: Zone, fault: Fault, work: () => Promise<T>): Promise<T> {
  fake.fail(fault)
  try {
    return await work()
  } finally {
    fake.heal()
  }
}

void t.test('certain failures: nothing was applied, nothing is recorded', { buffered: true }, async (t) => {
  const zone = await startZone(t, { app })
  const text = (error: string) => JSON.stringify({ error })
  const cases: [Fault, number, string, RegExp][] = [
    [{ kind: 'answer', answer: { status: 401 } }, 502, 'provider_auth_failed', /API key/],
    [{ kind: 'answer', answer: { status: 403 } }, 502, 'provider_auth_failed', /not allow/],
    [
      { on: 'write', kind: 'answer', answer: { status: 422, body: text('No.') } },
      502,
      'provider_rejected',
      /No\./,
    ],
    [
      { on: 'write', kind: 'answer', answer: { status: 404, body: text('Not Found') } },
      502,
      'provider_error',
      /zone/,
    ],
    [{ kind: 'answer', answer: { status: 503 }, times: Infinity }, 502, 'provider_error', /503/],
    [
      { on: 'write', kind: 'answer', answer: { status: 500, body: text('Locked') }, times: Infinity },
      503,
      'unavailable',
      /500/,
    ],
    [{ on: 'read', kind: 'garble', body: '{"half":', times: Infinity }, 502, 'provider_error', /format/],
    [{ on: 'read', kind: 'cut', times: Infinity }, 502, 'provider_error', /before the answer was complete/],
    [{ on: 'read', kind: 'silent', applied: false, times: Infinity }, 504, 'provider_timeout', /in time/],
    // The last: then the account is left alone.
    [
      { kind: 'answer', answer: { status: 429, headers: { 'retry-after': '60' } } },
      503,
      'unavailable',
      /too many/,
    ],
  ]
  for (const [i, [fault, status, code, detail]] of cases.entries()) {
    const isRead = fault.on === undefined || fault.on === 'read'
    // A certain failure of the write is one that PowerDNS itself says; of a read any is.
    const on = isRead ? ('read' as const) : ('write' as const)
    const answer = await during(zone, { ...fault, on }, () => post(zone, `certain-${i}`))
    t.match(answer, { status, body: { code, detail, changeId: String } }, `${i}`)
    t.notMatch(JSON.stringify(answer.body), new RegExp(`${zone.fake.apiKey}|node_modules|stack`))
    t.same(await found(zone, `certain-${i}`), [], `${i}: no record`)
    t.match(await change(zone, answer.body.changeId), {
      status: 'failed',
      items: [{ outcome: 'failed', error: detail }],
    })
  }
  t.same(await unsettled(zone), [0, 0, 0], 'nothing to settle, no name locked')
  t.match(await zone.admin.get(`/api/domains/${zone.domainId}`), { body: { recordCount: 0 } })
})

void t.test(
  'Retry-After goes to the client; temporary failures are retried',
  { buffered: true },
  async (t) => {
    const zone = await startZone(t, { app })
    const again = { on: 'read' as const, kind: 'answer' as const, answer: { status: 503 } }
    t.match(await during(zone, again, () => post(zone, 'again')), { status: 201 })
    // Of two writes at the same time, PowerDNS on SQLite fails one, and rolls it back.
    const locked = { status: 500, body: JSON.stringify({ error: 'database is locked' }) }
    const writes = zone.writes()
    t.match(
      await during(zone, { on: 'write', kind: 'answer', answer: locked, times: 2 }, () =>
        post(zone, 'locked'),
      ),
      { status: 201 },
    )
    t.equal(zone.writes() - writes, 3)
    const limited = { status: 429, headers: { 'retry-after': '30' } }
    const answer = await during(zone, { on: 'read', kind: 'answer', answer: limited }, () =>
      post(zone, 'limited'),
    )
    t.match(answer, { status: 503, headers: { 'retry-after': '30' }, body: { retryAfter: 30 } })
  },
)

const uncertain: [string, Fault, number, string, boolean][] = [
  ['cut off after it took effect', { kind: 'cut' }, 502, 'provider_error', true],
  ['silent after it took effect', { kind: 'silent', applied: true }, 504, 'provider_timeout', true],
  ['silent without effect', { kind: 'silent', applied: false }, 504, 'provider_timeout', false],
  ['an error of its own', { kind: 'answer', answer: { status: 500 } }, 502, 'provider_error', false],
]

for (const [kind, fault, status, code, happened] of uncertain) {
  const title = `${kind}: pending, then settled by what the provider holds`
  void t.test(title, { buffered: true }, async (t) => {
    const zone = await startZone(t, { app })
    const { admin, url, there } = zone
    const [updated, deleted] = [await zone.add('A', 'u', '192.0.2.1'), await zone.add('A', 'd', '192.0.2.1')]
    const changes = [
      { action: 'create', recordType: 'A', name: 'c', value: '192.0.2.7' },
      { action: 'update', recordId: updated.id, value: '192.0.2.8' },
      { action: 'delete', recordId: deleted.id },
    ]
    const answer = await during(zone, { ...fault, on: 'write' }, () =>
      admin.post(`${url}/apply`, { changes }),
    )
    t.match(answer, { status, body: { code, changeId: String } })
    await settled(zone)
    t.same(there('c', 'A'), happened ? ['192.0.2.7'] : [])
    t.same(
      await zone.here(),
      happened ? ['c A 192.0.2.7', 'u A 192.0.2.8'] : ['d A 192.0.2.1', 'u A 192.0.2.1'],
    )
    t.match(await found(zone, 'u'), [{ status: 'active', version: happened ? 2 : 1 }])
    t.match(await change(zone, answer.body.changeId), { status: happened ? 'applied' : 'failed' })
    t.match(await admin.get(`/api/domains/${zone.domainId}`), { body: { recordCount: 2 } })
    t.match(await post(zone, 'c', '192.0.2.99'), { status: 201 }, 'the name is free again')
    const audited = await zone.database.db.selectFrom('audit').selectAll().orderBy('id').execute()
    const entry = audited.find(
      ({ after }) => (after as { changeId?: string } | null)?.changeId === answer.body.changeId,
    )
    t.match(
      entry,
      happened ? { actor_name: 'root', after: { created: 1, updated: 1, deleted: 1 } } : undefined,
    )
  })
}

void t.test(
  'with an unknown outcome the record is pending and its name locked',
  { buffered: true },
  async (t) => {
    const zone = await startZone(t, { app })
    const answer = await during(zone, { on: 'write', kind: 'cut' }, async () => {
      const first = await post(zone, 'unknown')
      // Before it can be settled.
      t.match(await found(zone, 'unknown'), [{ status: 'pending', value: '192.0.2.1' }])
      return first
    })
    t.match(answer, { status: 502, body: { detail: /before the answer was complete/ } })
    t.match(await post(zone, 'elsewhere'), { status: 201 }, 'other names do not wait')
    t.match(await post(zone, 'unknown', '192.0.2.2'), { status: 201 }, 'this one waits for the settlement')
    t.same(zone.there('unknown', 'A'), ['192.0.2.1', '192.0.2.2'])
    t.match(await found(zone, 'unknown'), [{ status: 'active' }, { status: 'active' }])
  },
)

void t.test('a change of a deleted zone is reconciled', { buffered: true }, async (t) => {
  const zone = await startZone(t, { app })
  const { body: record } = await post(zone, 'old')
  zone.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await post(zone, 'lost'), { status: 502 })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await zone.admin.delete(`${zone.url}/${record.id}`), { status: 502 })
  zone.fake.deleteZone('example.com')
  await until('settlement', async () => (await unsettled(zone)).every((count) => count === 0))
  t.same(await zone.here(), [])
})

void t.test('an unavailable provider keeps only its change pending', { buffered: true }, async (t) => {
  const zone = await startZone(t, { app })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await post(zone, 'stuck'), { status: 502 })
  await zone.fake.close()
  const [{ id }] = (await zone.database.db
    .selectFrom('changes')
    .select('id')
    .where('domain_id', '=', zone.domainId)
    .execute()) as [{ id: string }]
  // The settlement has tried when the lease is taken anew.
  await until('a try', async () => {
    const row = await zone.database.db
      .selectFrom('changes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.lease_until.getTime() > Date.now() + 10_000
  })
  t.same(await unsettled(zone), [1, 1, 1])
  t.match(await post(zone, 'free'), {
    status: 502,
    body: { code: 'provider_error', detail: /refused the connection/ },
  })
  t.match(await zone.admin.get(zone.url), {
    status: 200,
    body: { total: 1, records: [{ status: 'pending' }] },
  })
})

void t.test('a record with unknown value is failed until a sync', { buffered: true }, async (t) => {
  const zone = await startZone(t, { app })
  const { id } = await zone.add('A', 'odd', '192.0.2.1')
  const answer = await during(zone, { on: 'write', kind: 'cut' }, () =>
    zone.admin.put(`${zone.url}/${id}`, { value: '192.0.2.2' }),
  )
  t.equal(answer.status, 502)
  const records = [{ content: '192.0.2.9', disabled: false }]
  const rrset = { name: 'odd.example.com.', type: 'A', ttl: 300, changetype: 'REPLACE', records }
  zone.fake.patch('example.com', [rrset])
  await settled(zone)
  t.match(await found(zone, 'odd'), [{ id, status: 'failed', value: '192.0.2.1' }])
  await during(zone, { on: 'read', kind: 'answer', answer: { status: 401 } }, () =>
    zone.admin.put(`${zone.url}/${id}`, { value: '192.0.2.3' }),
  )
  t.match(await found(zone, 'odd'), [{ id, status: 'failed' }], 'another failure tells nothing new')
  t.match(await zone.admin.post(`/api/domains/${zone.domainId}/sync`), { status: 200 })
  t.match(await found(zone, 'odd'), [{ status: 'active', value: '192.0.2.9' }])
})
