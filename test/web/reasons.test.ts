import t from 'tap'
import { checkData, checkValue, RECORD_TYPES, typeOf } from '../../dns/types/index.ts'
import { REASON_CODES, REASON_RULES } from '../../schemas/codes/reason-codes.ts'
import { sayReason } from '../../web/messages/reasons.ts'
import { reasons } from '../../web/messages/zh/service/reasons.ts'

/* What the service finds wrong is said in Chinese: words for each of its codes, and no words for what it never says. */

const CHINESE = /\p{Script=Han}/u
const texts = (code: string) => [reasons[code] ?? []].flat()

void t.test('each code and rule has a Chinese message', async (t) => {
  const known = [...REASON_CODES, ...REASON_RULES]
  t.same(
    known.filter((code) => !texts(code).some((text) => CHINESE.test(text))),
    [],
  )
  const kinds = new Set(['type_form', 'type_field'])
  t.same(
    Object.keys(reasons).filter((code) => !kinds.has(code) && !known.includes(code as never)),
    [],
    'and no others',
  )
})

void t.test('every value error has a message with its params', async (t) => {
  for (const type of RECORD_TYPES) {
    const { fields } = typeOf(type)
    const wrong = Object.fromEntries(fields.map(({ name }) => [name, '\0']))
    for (const checked of [checkValue(type, 'x"'), checkValue(type, '\0 - - -'), checkData(type, wrong)]) {
      for (const error of checked.ok ? [] : checked.errors) {
        const said = sayReason(reasons, error)
        t.match(said, CHINESE, `${type}: ${error.code} ${error.message}`)
      }
    }
  }
})

void t.test('of several messages, the first with all its params is used', async (t) => {
  const words = { a: ['up to {limit} of {list}', 'too many'], b: '{gone}', c_d: 'by its rule' }
  t.equal(sayReason(words, { code: 'a', params: { limit: 0, list: ['x', 'y'] } }), 'up to 0 of x、y')
  t.equal(sayReason(words, { code: 'a', params: { limit: null } }), 'too many')
  t.equal(sayReason(words, { code: 'c', params: { rule: 'c_d' } }), 'by its rule')
  t.equal(sayReason(words, { code: 'b' }), null)
  t.equal(sayReason(words, { code: 'unknown' }), null)
})
