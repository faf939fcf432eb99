import t from 'tap'
import { dateText, momentOfText } from '../../web/ui/fields/dates/dates.ts'

process.env['TZ'] = 'Asia/Shanghai'

void t.test('a time as local date input', async (t) => {
  t.equal(dateText(null, true), '')
  t.equal(dateText('2026-11-22T16:05:59.123Z', true), '2026-11-23T00:05')
  t.equal(dateText('2026-11-22T16:05:59.123Z', false), '2026-11-23')
  t.equal(dateText('0002-11-22T16:05:59Z', false), '0002-11-23', 'a year that is being typed')
})

void t.test('date input as a time', async (t) => {
  t.equal(momentOfText('', '2026-11-22T16:05:59Z'), null)
  t.equal(momentOfText('2026-11-23T00:05', '2020-01-01T07:08:09Z'), '2026-11-22T16:05:00.000Z')
  t.equal(momentOfText('2026-11-23', null), '2026-11-22T16:00:00.000Z', 'midnight here')
  t.equal(momentOfText('2027-01-02', '2026-11-22T16:05:59Z'), '2027-01-01T16:05:59.000Z')
  for (const text of ['0002-11-23', '0020-11-23', '0202-11-23', '2026-11-23'])
    t.equal(dateText(momentOfText(text, null), false), text, 'stays as it is typed')
})
