import t from 'tap'
import { parseZoneFile, type ZoneFile } from '../../modules/records/zone-files/zonefile.ts'
import { REASON_RULES } from '../../schemas/codes/reason-codes.ts'
import { sayReason } from '../../web/messages/reasons.ts'
import { reasons } from '../../web/messages/zh/service/reasons.ts'

/* What is wrong with a line of a zone file has a stable name, and is said in Chinese with all that it names. */

const CHINESE = /\p{Script=Han}/u
const many = (count: number, line: string) => `${line}\n`.repeat(count)

/** Rule by rule a file that breaks it, and what the words name. */
const MASTER_FILES: [rule: string, text: string, params?: object][] = [
  ['line_parenthesis_closing', 'a A 192.0.2.1 )'],
  ['line_parenthesis_open', 'a TXT ( "x"'],
  ['line_quote', 'a TXT "x'],
  ['line_long', `a TXT ${'x'.repeat(300_001)}`, { maximum: 300_000 }],
  ['line_words', `a TXT ${'x '.repeat(10_001)}`, { maximum: 10_000 }],
  ['line_argument', '$TTL 1 2', { directive: '$TTL' }],
  ['line_class', 'a CH A 192.0.2.1', { class: 'CH' }],
  ['line_directive', '$ORIGN example.com.', { given: '$ORIGN' }],
  ['line_errors', many(1_001, 'a B'), { maximum: 1_000 }],
  ['line_generate', '$GENERATE 1-9 a A 192.0.2.$'],
  ['line_include', '$INCLUDE other'],
  ['line_name', `$ORIGIN ${'a.'.repeat(500)}`, { given: `${'a.'.repeat(30)}…` }],
  ['line_no_name', ' A 192.0.2.1'],
  ['line_no_type', 'a IN'],
  ['line_records', many(20_001, 'a A 192.0.2.1'), { maximum: 20_000 }],
  ['line_skipped', many(100_001, 'a HIP 1 b'), { maximum: 100_000 }],
  ['line_ttl', '$TTL soon', { given: 'soon' }],
  ['line_ttl_large', 'a 99999999999 A 192.0.2.1', { given: '99999999999' }],
  ['line_type', 'a IN WHAT x', { given: 'WHAT' }],
  ['line_data', 'a TXT \\999', { recordType: 'TXT', given: '\\999' }],
  // Names and values are wrong as they are anywhere.
  ['ipv4_address', 'a A 192.0.2.999'],
  ['mx_form', 'a MX'],
  ['tlsa_form', 'a TLSA 3', { recordType: 'TLSA' }],
  ['name_outside_zone', 'a.example.net. A 192.0.2.1'],
]

void t.test('each error by its rule', async (t) => {
  for (const [rule, text, params = {}] of MASTER_FILES) {
    const { errors } = await parseZoneFile(text, 'example.com')
    const fault = errors.at(-1)
    t.match(fault, { rule, params }, rule)
    const said = sayReason(reasons, { code: 'line', params: { ...fault?.params, rule } })
    t.match(said, CHINESE, rule)
    t.notMatch(said, /此行无法识别/, `${rule} has words of its own`)
  }
})

void t.test('all line rules are covered', async (t) => {
  const tried = new Set(MASTER_FILES.map(([rule]) => rule))
  t.same(
    REASON_RULES.filter((rule) => rule.startsWith('line_') && !tried.has(rule)),
    [],
  )
})

void t.test('reasons for skipped records', async (t) => {
  const said = ({ skipped }: ZoneFile) => skipped.map((one) => sayReason(reasons, one))
  t.same(said(await parseZoneFile('@ SOA a. b. 1 2 3 4 5\na HIP 1 b', 'example.com')), [
    'SOA 由服务商自己生成。',
    'HIP 类型未纳管。',
  ])
})
