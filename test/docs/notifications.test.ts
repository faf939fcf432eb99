import { readFileSync } from 'node:fs'
import t from 'tap'
import { MAX_RECORDS_TOLD } from '../../modules/notifications/message.ts'
import { MAX_KEPT } from '../../modules/notifications/store-queries.ts'
import { STREAMS_OF_A_USER } from '../../modules/notifications/stream/stream-slots-queries.ts'
import { ANNOUNCED, CATALOGUE, type Audience } from '../../schemas/events/event-catalogue.ts'

/* docs/notifications.md says of each event of the catalogue what the catalogue says. */
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const page = read('docs/notifications.md')

const AUDIENCES: Record<Audience, string> = {
  users: 'the user concerned',
  administrators: 'administrators',
  domain: 'users of the domain',
  counts: 'users of the records',
  records: 'users of the records',
}

void t.test('the table of events', async (t) => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, event, level, who, mail, metadata]) => [event, level, who, mail, metadata])
  // The test message of a channel is sent by that channel alone.
  const told = ANNOUNCED.filter((name) => name !== 'channel.test')
  const expected = told.map((name) => {
    const { level, audience, mail, metadata } = CATALOGUE[name]
    const fields = Object.keys(metadata.properties).map((field) => `\`${field}\``)
    return [`\`${name}\``, level, AUDIENCES[audience], mail ? 'yes' : 'no', fields.join(', ')]
  })
  t.same(rows, expected)
})

void t.test('the limits', async (t) => {
  t.match(page, `the newest ${MAX_KEPT} messages`)
  t.match(page, `at most ${MAX_RECORDS_TOLD} of them`)
  const limits = read('docs/limits.md')
  t.match(limits, new RegExp(`^\\| Open event streams of a user *\\| ${STREAMS_OF_A_USER} `, 'm'))
  t.match(limits, new RegExp(`^\\| Notifications kept for a user *\\| ${MAX_KEPT} `, 'm'))
})
