import t from 'tap'
import powerdns from '../../../modules/providers/adapters/powerdns/index.ts'
import type { Refusal, RRsetEdit } from '../../../modules/providers/contract.ts'
import { batchesOf } from '../../../modules/records/apply/provider/batches.ts'
import { startZone } from '../../helpers/zone.ts'
import { add, edit, replace } from '../../conformance/suite/subject.ts'

/* What a provider says of changes without being called, and how many of them go in one call. */

const LONG = /^"?x{20}/

/** As a provider that takes no long TXT, and no set below a minute. */
function audit(zoneName: string, edits: readonly RRsetEdit[]): Refusal[] {
  return edits.flatMap(({ type, ttl, changes }, i) =>
    changes.flatMap((change, j): Refusal[] => {
      const member = change.action === 'replace' ? change.to : change.member
      const place = { edit: i, change: j }
      if (type === 'TXT' && change.action !== 'remove' && LONG.test(member.value))
        return [{ ...place, field: 'value', code: 'value_too_long', message: `is too long for ${zoneName}` }]
      return ttl === 61 ? [{ ...place, field: 'ttl', code: 'txt_space', message: 'must be even' }] : []
    }),
  )
}

void t.test('what the provider would refuse is reported by field before anything is sent', async (t) => {
  const zone = await startZone(t)
  const { admin, url, domainId } = zone
  const { id } = await zone.add('TXT', 'kept', 'short')
  powerdns.audit = audit
  t.teardown(() => delete powerdns.audit)
  const [calls, value] = [zone.fake.requests.length, 'x'.repeat(30)]
  const tooLong = { path: '/value', code: 'value_too_long', message: 'is too long for example.com' }
  const refused = { status: 400, body: { code: 'validation_failed', errors: [tooLong] } }

  t.match(await admin.post(url, { recordType: 'TXT', name: 'a', value, ttl: 300 }), refused)
  t.match(await admin.put(`${url}/${id}`, { value }), refused)
  const odd = { errors: [{ path: '/ttl', code: 'txt_space' }] }
  t.match(await admin.put(`${url}/${id}`, { ttl: 61 }), { status: 400, body: odd })
  const records = [
    { recordType: 'A', name: 'b', value: '192.0.2.1', ttl: 300 },
    { recordType: 'TXT', name: 'b', value, ttl: 300 },
  ]
  const changes = records.map((record) => ({ action: 'create', ...record }))
  t.match(await admin.post(`${url}/plan`, { changes }), {
    status: 200,
    body: {
      creates: [{ index: 0 }],
      conflicts: [{ index: 1, kind: 'invalid', errors: [tooLong] }],
    },
  })
  t.match(await admin.post(`${url}/apply`, { changes }), { status: /4\d\d/ })
  t.equal(zone.fake.requests.length, calls, 'nothing was sent')
  t.same(await zone.here(), ['kept TXT short'])

  t.match(await admin.post(`${url}/bulk`, { records }), {
    body: { succeeded: 1, results: [{ success: true }, { success: false, error: /too long/ }] },
  })
  t.same(zone.there('b', 'A'), ['192.0.2.1'], 'of entries that stand alone the others are done')
  t.same(zone.there('b', 'TXT'), [])
  t.match(await admin.put(`${url}/${id}`, { comment: 'for people' }), { status: 200 }, 'what is not sent')
  t.match(await admin.get(`/api/domains/${domainId}`), { body: { recordCount: 2 } })
})

void t.test('batches by edits, by values and by length', async (t) => {
  const edits = Array.from({ length: 5 }, (_, i) => edit(`n${i}`, 'A', [add('192.0.2.1'), add('192.0.2.2')]))
  const sizes = (bounds: object) =>
    [...batchesOf(edits, { maxBatch: 100, ...bounds })].map((batch) => batch.length)
  t.same(sizes({}), [5])
  t.same(sizes({ maxBatch: 2 }), [2, 2, 1])
  t.same(sizes({ maxBatchValues: 4 }), [2, 2, 1])
  t.same(sizes({ maxBatchValues: 5 }), [2, 2, 1], 'an edit is never parted')
  t.same(sizes({ maxBatchValues: 1 }), [1, 1, 1, 1, 1], 'not even one that is too large')
  t.same(sizes({ maxBatchLength: 60 }), [3, 2])
  const replaced = [edit('a', 'A', [replace('192.0.2.1', '192.0.2.2')]), ...edits]
  t.same(
    [...batchesOf(replaced, { maxBatch: 9, maxBatchValues: 4 })].map((batch) => batch.length),
    [2, 2, 2],
    'what goes counts as what comes',
  )
  t.same([...batchesOf([], { maxBatch: 1 })], [])
})
