import t from 'tap'
import { daysUntil } from '../../web/dns/days.ts'

void t.test('whole days until a moment', async (t) => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  t.equal(daysUntil('2026-11-24T12:00:00Z', now), 2)
  t.equal(daysUntil('2026-11-22T13:00:00Z', now), 0, 'today')
  t.equal(daysUntil('2026-11-22T11:00:00Z', now), -1, 'past')
})
