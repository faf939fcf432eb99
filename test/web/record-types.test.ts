import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../dns/types/index.ts'
import { recordTypes as chinese } from '../../web/messages/zh/recordTypes.ts'

/* What the service says of record types, in English, has words in Chinese. */

/** Names of algorithms and of kinds, which are the same in all languages. */
const NAMES = /^(?:[A-Z0-9. -]+|Ed\d+ \(RFC \d+\)|(?:EC|Ed)DSA \(RFC \d+\)|ED\d+)$/

const said = RECORD_TYPES.map(typeOf).flatMap(({ title, help, fields }) => [
  title,
  help,
  ...fields.flatMap((field) => [
    field.title,
    ...(field.help === undefined ? [] : [field.help]),
    ...(field.choices ?? []).map((choice) => choice.title),
  ]),
])

void t.test('each title, help and choice', (t) => {
  t.same(
    [...new Set(said)].filter((text) => !NAMES.test(text) && !/\p{Script=Han}/u.test(chinese[text] ?? '')),
    [],
  )
  t.same(
    Object.keys(chinese).filter((text) => !said.includes(text)),
    [],
    'and nothing else',
  )
  t.end()
})
