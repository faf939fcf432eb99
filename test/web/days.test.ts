import t from 'tap'
import { daysBetween } from '../../modules/domains/expiry/dates.ts'
import { daysUntil } from '../../web/ui/fields/dates/dates.ts'

void t.test('days until a time are calendar days, here and in the service', async (t) => {
  const now = '2026-11-22T12:00:00Z'
  for (const [moment, days] of [
    ['2026-11-24T12:00:00Z', 2],
    ['2026-11-24T00:00:00Z', 2],
    ['2026-11-24T23:59:59Z', 2],
    ['2026-11-23T00:00:00Z', 1],
    ['2026-11-22T23:59:59Z', 0],
    ['2026-11-22T11:00:00Z', 0],
    ['2026-11-21T23:59:59Z', -1],
  ] as const) {
    t.equal(daysUntil(moment, Date.parse(now)), days, moment)
    t.equal(daysBetween(new Date(now), new Date(moment)), days, `${moment} in the service`)
  }
})
