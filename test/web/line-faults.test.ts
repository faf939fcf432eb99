import t from 'tap'
import { parseOctodns } from '../../modules/records/zone-files/octodns.ts'
import { parseZoneFile, type ZoneFile } from '../../modules/records/zone-files/zonefile.ts'
import { REASON_RULES } from '../../schemas/reason-codes.ts'
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
  ['line_skipped', many(100_001, 'a AFSDB 1 b'), { maximum: 100_000 }],
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

const YAML: [rule: string, text: string, params?: object][] = [
  ['yaml_alias', 'a: &x {type: A, value: 192.0.2.1}\nb: *x'],
  ['yaml_backslash', "a: {type: TXT, value: 'x\\99'}"],
  ['yaml_entry_large', `a: {type: TXT, value: "${'x'.repeat(300_000)}"}`],
  ['yaml_field', 'a: {type: MX, value: {weight: 1}}', { recordType: 'MX', field: 'weight' }],
  ['yaml_field_missing', 'a: {type: MX, value: {preference: 1}}', { recordType: 'MX', field: 'exchange' }],
  ['yaml_flag', 'a: {type: A, value: 192.0.2.1, octodns: {cloudflare: {proxied: maybe}}}'],
  ['yaml_form', 'a: [', { yamlCode: 'BAD_INDENT' }],
  ['yaml_full_name', 'a: {type: CNAME, value: b}', { given: 'b' }],
  ['yaml_map', '- a'],
  ['yaml_name', "'@': {type: A, value: 192.0.2.1}", { given: '@' }],
  ['yaml_name_twice', 'a: {type: A, value: 192.0.2.1}\na: {type: A, value: 192.0.2.2}', { given: 'a' }],
  ['yaml_no_value', 'a: {type: A}', { recordType: 'A' }],
  ['yaml_object', 'a: {type: A, value: 192.0.2.1, octodns: [x]}\nb: {type: A, value: 192.0.2.1, octodns: x}'],
  ['yaml_option', 'a: {type: A, value: 192.0.2.1, geo: x}', { option: 'geo' }],
  ['yaml_record', 'a: x'],
  ['yaml_seconds', 'a: {type: A, value: 192.0.2.1, ttl: 1h}'],
  ['yaml_text', 'a: {type: A, value: {x: y}}', { recordType: 'A' }],
  [
    'yaml_text_or_list',
    'a: {type: HTTPS, value: {svcpriority: 1, targetname: ., svcparams: {port: {a: b}}}}',
    { field: 'port' },
  ],
  ['yaml_text_or_object', 'a: {type: A, values: [[x]]}'],
  ['yaml_word', "a: {type: MX, value: {preference: 1, exchange: 'a b.'}}", { field: 'exchange' }],
  ['line_type', 'a: {type: WHAT, value: x}', { given: 'WHAT' }],
  ['line_no_type', 'a: {value: x}'],
  ['ipv4_address', 'a: {type: A, value: 192.0.2.999}'],
]

for (const [form, parse, cases] of [
  ['master file', parseZoneFile, MASTER_FILES],
  ['YAML', parseOctodns, YAML],
] as const)
  void t.test(`${form}: each fault by its rule`, async (t) => {
    for (const [rule, text, params = {}] of cases) {
      const { errors } = await parse(text, 'example.com')
      const fault = errors.at(-1)
      t.match(fault, { rule, params }, rule)
      const said = sayReason(reasons, { code: 'line', params: { ...fault?.params, rule } })
      t.match(said, CHINESE, rule)
      t.notMatch(said, /此行无法识别/, `${rule} has words of its own`)
    }
  })

void t.test('no rule of lines is left out', async (t) => {
  const tried = new Set([...MASTER_FILES, ...YAML].map(([rule]) => rule))
  t.same(
    // How long it takes is the thread's to say.
    REASON_RULES.filter((rule) => /^(line|yaml)_/.test(rule) && rule !== 'yaml_slow' && !tried.has(rule)),
    [],
  )
})

void t.test('why a record is left out', async (t) => {
  const said = ({ skipped }: ZoneFile) => skipped.map((one) => sayReason(reasons, one))
  t.same(said(await parseZoneFile('@ SOA a. b. 1 2 3 4 5\na AFSDB 1 b', 'example.com')), [
    'SOA 由服务商自己生成。',
    'AFSDB 不在这里管理。',
  ])
  t.same(said(await parseOctodns('a: {type: URLFWD, value: x}', 'example.com')), ['URLFWD 不是 DNS 记录。'])
})
