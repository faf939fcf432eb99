import t from 'tap'
import { retryAfterOf } from '../../../plugins/outbound/retry-after.ts'

void t.test('Retry-After', async (t) => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const seconds = (value?: string) => retryAfterOf(value === undefined ? {} : { 'retry-after': value }, now)
  t.equal(seconds('120'), 120)
  t.equal(seconds('0'), 0)
  t.equal(seconds('Sat, 21 Nov 2026 12:01:30 GMT'), 90)
  t.equal(seconds('Sat, 21 Nov 2026 11:00:00 GMT'), 0, 'a moment that is past')
  t.equal(seconds('99999999'), 99_999_999)
  t.equal(seconds('soon'), undefined)
  t.equal(seconds(''), undefined)
  t.equal(seconds(), undefined)
})
