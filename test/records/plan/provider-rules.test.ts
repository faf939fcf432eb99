import t from 'tap'
import { ANY_TEXT, type Capabilities } from '../../../modules/providers/contract.ts'
import { planChanges } from '../../../modules/records/plan/plan.ts'
import type { RequestedChange } from '../../../modules/records/plan/change.ts'
import { create, state, zone } from './plan-cases.ts'

/** What is refused, by field and code; '' where nothing is. */
async function refusal(
  capabilities: Partial<Capabilities>,
  request: RequestedChange,
  { current = [], verbatim = false }: { current?: string[]; verbatim?: boolean } = {},
): Promise<string> {
  const facts = { ...zone, capabilities: { ...zone.capabilities, ...capabilities } }
  const { refusals } = await planChanges(facts, current.map(state), [request], { verbatim })
  return refusals.flatMap(({ errors }) => errors.map(({ path, code }) => `${path} ${code}`)).join()
}

const long = 'x'.repeat(600)
const refused: [string, Partial<Capabilities>, RequestedChange][] = [
  ['/name wildcard_unsupported', { wildcards: false }, create('*', 'A', '192.0.2.1')],
  ['/name wildcard_unsupported', { wildcards: false }, create('*.deep', 'A', '192.0.2.1')],
  ['/name underscore_unsupported', { underscores: false }, create('_x', 'CNAME', 'a.example.net.')],
  ['/name underscore_unsupported', { underscores: false }, create('a._x.b', 'TXT', 'text')],
  ['/name apex_alias_unsupported', { apexAlias: false }, create('@', 'ALIAS', 'a.example.net.')],
  ['/value null_mx_unsupported', { nullMx: false }, create('nomail', 'MX', '0 .')],
  ['/value text_long', { txt: { ...ANY_TEXT, maxLength: 512 } }, create('a', 'TXT', long)],
  ['/value text_strings', { txt: { ...ANY_TEXT, strings: false } }, create('a', 'TXT', '"a" "b"')],
  ['/value text_ascii', { txt: { ...ANY_TEXT, beyondAscii: false } }, create('a', 'TXT', 'grün')],
  ['/value text_character', { txt: { ...ANY_TEXT, without: ['\\', '"'] } }, create('a', 'TXT', 'a"b')],
  ['/ttl ttl_choice', { ttls: [300, 3600] }, create('a', 'A', '192.0.2.1', { ttl: 600 })],
]

void t.test('unsupported fields are refused by name', async (t) => {
  for (const [wanted, capabilities, request] of refused) {
    t.equal(await refusal(capabilities, request), wanted, wanted)
    t.equal(await refusal(capabilities, request, { verbatim: true }), wanted, `${wanted}, of a zone file`)
    t.equal(await refusal({}, request), '', `not ${wanted} elsewhere`)
  }
})

void t.test('other supported values are accepted', async (t) => {
  t.equal(await refusal({ wildcards: false }, create('a', 'A', '192.0.2.1')), '')
  t.equal(await refusal({ underscores: false }, create('a_b', 'TXT', 'text')), '')
  t.equal(await refusal({ apexAlias: false }, create('www', 'ALIAS', 'a.example.net.')), '')
  t.equal(await refusal({ nullMx: false }, create('mail', 'MX', '0 mx.example.net.')), '')
  t.equal(await refusal({ txt: { ...ANY_TEXT, strings: false } }, create('a', 'TXT', long)), '')
  t.equal(await refusal({ ttls: [300, 3600] }, create('a', 'A', '192.0.2.1', { ttl: 300 })), '')
})

void t.test('existing values are not checked when other fields change', async (t) => {
  const update = (fields: object) => ({ action: 'update', recordId: 'r1', ...fields }) as RequestedChange
  const changing = (capabilities: Partial<Capabilities>, line: string, fields: object) =>
    refusal(capabilities, update(fields), { current: [line] })
  const short = { txt: { ...ANY_TEXT, maxLength: 512 } }
  t.equal(await changing(short, `r1 a TXT 300 ${long}`, { ttl: 600 }), '')
  t.equal(await changing(short, `r1 a TXT 300 ${long}`, { value: `${long}y` }), '/value text_long')
  t.equal(await changing({ wildcards: false }, 'r1 * A 300 192.0.2.1', { value: '192.0.2.2' }), '')
  t.equal(
    await changing({ wildcards: false }, 'r1 * A 300 192.0.2.1', { name: '*.b' }),
    '/name wildcard_unsupported',
  )
  t.equal(await changing({ ttls: [60, 3600] }, 'r1 a A 300 192.0.2.1', { value: '192.0.2.2' }), '')
})
