import t from 'tap'
import { startZone } from '../helpers/zone.ts'

/* The largest change there is: as many records as a zone file may have. */
t.setTimeout(180_000)
const RECORDS = 20_000
const zone = await startZone(t)

void t.test('the largest import is done, and undone, within a request', async (t) => {
  const lines = Array.from(
    { length: RECORDS },
    (_, i) => `w${i % 5000} A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  )
  const imported = await zone.admin.post(`${zone.url}/import`, { zonefile: lines.join('\n') })
  t.match(imported, { status: 200, body: { plan: { changeId: String } } })
  t.match(await zone.admin.get(`${zone.url}?limit=1`), { body: { total: RECORDS } })
  const change = zone.url.replace(/\/records$/, `/changes/${imported.body.plan.changeId}`)
  t.match(await zone.admin.post(`${change}/revert`, {}), { status: 200 })
  t.match(await zone.admin.get(`${zone.url}?limit=1`), { body: { total: 0 } })
})
