// Runs last: holds times to bounds.
import t from 'tap'
import { finished, importFile } from '../operations/large.ts'
import { startZone } from '../helpers/zone.ts'

/* The largest change there is: as many records as a zone file may have. */
t.setTimeout(180_000)
const RECORDS = 20_000
const zone = await startZone(t)

void t.test('95. the largest import is done, undone and restored after its answer', async (t) => {
  const lines = Array.from(
    { length: RECORDS },
    (_, i) => `w${i % 5000} A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  )
  const asked = await importFile(zone, lines.join('\n'))
  t.match(asked, { status: 202 })
  const imported = await finished(zone.admin, asked.body.operation.id)
  t.match(imported, { outcome: 'succeeded', done: RECORDS, total: RECORDS })
  t.match(await zone.admin.get(`${zone.url}?limit=1`), { body: { total: RECORDS } })
  const moment = new Date().toISOString()
  const change = zone.url.replace(/\/records$/, `/changes/${imported.changeId}`)
  const reverted = await zone.admin.post(`${change}/revert`, {})
  t.match(reverted, { status: 202 })
  t.match(await finished(zone.admin, reverted.body.operation.id), { outcome: 'succeeded', done: RECORDS })
  t.match(await zone.admin.get(`${zone.url}?limit=1`), { body: { total: 0 } })
  const restored = await zone.admin.post(zone.url.replace(/records$/, 'restore'), { at: moment, apply: true })
  t.match(restored, { status: 202, body: { operation: { kind: 'restore', total: RECORDS } } })
  t.match(await finished(zone.admin, restored.body.operation.id), { outcome: 'succeeded', done: RECORDS })
})
