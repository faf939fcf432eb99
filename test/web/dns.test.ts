import t from 'tap'
import { asCsv } from '../../web/zone/table.ts'
import { diffText, unchangedOf } from '../../web/zone/diff.ts'
import { hintsOf } from '../../web/zone/hints.ts'
import { policyOf } from '../../web/zone/text-policies.ts'
import { typesByName } from '../../web/zone/hints.ts'
import { askedOf, filterOf, recognised, without, withWord, type Filtered } from '../../web/zone/filter.ts'
import { byDns, byType, byValue } from '../../web/zone/order.ts'
import { mayBeRecords, readTable } from '../../web/zone/table.ts'
import { joinValue, shapeOf, splitValue } from '../../web/zone/presentation.ts'
import { readTtl, showTtl } from '../../web/zone/ttl.ts'

void t.test('TTLs are shown with units and read with or without', async (t) => {
  for (const [seconds, text] of [
    [59, '59 s'],
    [60, '1 min'],
    [90, '90 s'],
    [300, '5 min'],
    [3600, '1 h'],
    [5400, '1 h 30 min'],
    [86_400, '1 d'],
    [691_200, '8 d'],
    [604_800, '1 w'],
  ] as const) {
    t.equal(showTtl(seconds), text)
    t.equal(readTtl(text), seconds, `${text} is read as it is shown`)
  }
  t.match(['300', '5m', '1h', ' 1H 30m ', '2w', ''].map(readTtl), [300, 300, 3600, 5400, 1_209_600, 0])
  t.same(['x', '5x', '1h x', '-5', '1.5h'].map(readTtl), [null, null, null, null, null])
})

const record = (more: Partial<Filtered>): Filtered => ({
  name: 'www',
  recordType: 'A',
  value: '192.0.2.10',
  ttl: 3600,
  enabled: true,
  comment: '',
  states: [],
  ...more,
})
const passes = (filter: string, more: Partial<Filtered> = {}) => filterOf(filter)?.(record(more)) ?? true

void t.test('a filter: every word must match; prefixes narrow it', async (t) => {
  t.equal(filterOf('   '), null)
  for (const filter of [
    'www',
    'WWW',
    '2.10',
    'a',
    'www 192',
    'type:a',
    'type:mx,a',
    'name:w',
    'value:192.0',
    'ttl:3600',
  ])
    t.ok(passes(filter), filter)
  for (const filter of [
    'mail',
    'www mail',
    'type:mx',
    'name:192',
    'value:www',
    'ttl:<300',
    'ttl:>3600',
    'is:changed',
  ])
    t.notOk(passes(filter), filter)
  t.ok(passes('ttl:<300', { ttl: 60 }))
  t.notOk(passes('ttl:<300', { ttl: null }))
  t.ok(passes('is:changed', { states: ['changed'] }))
  t.ok(passes('"of the"', { comment: 'server of the shop' }))
  t.ok(passes('bücher', { name: 'xn--bcher-kva', unicodeName: 'bücher' }))
  t.ok(passes('http://x', { value: 'see http://x' }), 'a colon may be in a word')
})

void t.test('filter words with a meaning are found, added and removed', async (t) => {
  t.same(recognised('www type:MX "name:a b" TTL:<300 is:changed is:odd ttl:x type: http://x is:changed'), [
    'type:MX',
    'TTL:<300',
    'is:changed',
  ])
  t.equal(without('www type:MX mail type:MX', 'type:MX'), 'www mail')
  t.equal(without('"of the" is:failed', 'is:failed'), '"of the"')
  t.equal(withWord('', 'is:failed'), 'is:failed')
  t.equal(withWord('www', 'type:A'), 'www type:A')
  t.equal(withWord('type:A www', 'type:MX'), 'type:A,MX www', 'either type, as no record has both')
  t.ok(passes(withWord('type:MX', 'type:A')))
})

void t.test('DNS order: the apex first, then from the right, then by type', async (t) => {
  const place = (name: string, recordType = 'A', value = '') => ({ name, recordType, value })
  const names = ['b', 'a.b', '@', 'a', 'z.a']
  t.same(
    names
      .map((name) => place(name))
      .sort(byDns)
      .map(({ name }) => name),
    ['@', 'a', 'z.a', 'b', 'a.b'],
  )
  const types = ['TXT', 'A', 'CAA', 'MX', 'SOA']
  t.same(
    types
      .map((type) => place('@', type))
      .sort(byDns)
      .map(({ recordType }) => recordType),
    ['SOA', 'A', 'MX', 'TXT', 'CAA'],
  )
  t.ok(byType(place('z', 'A'), place('@', 'MX')) < 0)
  t.ok(byValue(place('z', 'A', '1'), place('a', 'A', '2')) < 0)
})

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV']
const read = (text: string) => readTable(text, TYPES, 'example.com')

void t.test('CSV and TSV are parsed; zone file lines are left to the service', (t) => {
  t.match(read('Name,Type,Content,TTL,Priority\nmail,MX,mx.example.net,5m,10\n,A,192.0.2.1,,'), [
    { record: { name: 'mail', recordType: 'MX', value: '10 mx.example.net', ttl: 300 } },
    { record: { name: '@', recordType: 'A', value: '192.0.2.1', ttl: null } },
  ])
  t.match(read('www,A,192.0.2.1\nwww.example.com.,A,192.0.2.2'), [
    { record: { name: 'www', recordType: 'A', value: '192.0.2.1' } },
    { record: { name: 'www' } },
  ])
  t.match(read('note\tTXT\tsome text, with blanks'), [{ record: { value: 'some text, with blanks' } }])
  t.match(read('name,type,value\nelsewhere.example.,A,192.0.2.1\nwww,X,1\nwww,A,'), [
    { line: 2, record: null, reason: 'outside' },
    { line: 3, record: null, reason: 'no-type' },
    { line: 4, record: null, reason: 'no-value' },
  ])
  for (const text of [
    '',
    'www 300 IN A 192.0.2.1',
    'www\tA\t192.0.2.1',
    '$ORIGIN a.example.com.\nwww,A,192.0.2.1',
  ])
    t.equal(read(text), null, text)
  t.ok(mayBeRecords('www IN A 192.0.2.1', TYPES))
  t.notOk(mayBeRecords('192.0.2.1\nmail.example.net', TYPES))
  t.end()
})

void t.test('values are split into fields and joined again', async (t) => {
  const caa = shapeOf([{ kind: 'integer' }, { kind: 'text' }, { kind: 'text' }], '0 issue "letsencrypt.org"')
  t.same(caa, { quoted: [false, false, true] })
  const texts = splitValue('0 issue "a \\"b\\""', 3)
  t.same(texts, ['0', 'issue', 'a "b"'])
  t.equal(joinValue(texts ?? [], caa ?? { quoted: [] }), '0 issue "a \\"b\\""')
  t.equal(splitValue('10', 2), null)
  t.equal(shapeOf([{ kind: 'parameters' }], '1 . alpn=h2'), null)
})

void t.test('a diff includes unchanged records and can be text', async (t) => {
  const one = (value: string, name = 'www') => ({ name, recordType: 'A', value, ttl: 300 })
  const zone = [one('192.0.2.1'), one('192.0.2.2'), one('192.0.2.3'), one('192.0.2.9', 'other')]
  const changes = [
    { before: one('192.0.2.1'), after: null },
    { before: one('192.0.2.2'), after: { ...one('192.0.2.2'), ttl: null } },
  ]
  const unchanged = unchangedOf(zone, changes)
  t.same([...unchanged], [['www A', [one('192.0.2.3')]]])
  const gone = { before: one('192.0.2.9', 'other'), after: null }
  const [first, second] = changes as [(typeof changes)[0], (typeof changes)[0]]
  t.equal(
    diffText([first, gone, second], unchanged)
      .split('\n')
      .filter((line) => line.startsWith('  ')).length,
    1,
    'also of changes that are apart, once',
  )
  t.equal(
    diffText(changes, unchanged),
    ['- www 300 A 192.0.2.1', '- www 300 A 192.0.2.2', '+ www A 192.0.2.2', '  www 300 A 192.0.2.3', ''].join(
      '\n',
    ),
  )
})

void t.test('CSV can be read back', async (t) => {
  const records = [
    { name: 'www', recordType: 'A', value: '192.0.2.1', ttl: 300, comment: '' },
    { name: '@', recordType: 'TXT', value: 'a "b", c', ttl: 60, comment: 'x' },
  ]
  t.match(
    records,
    readTable(asCsv(records), ['A', 'TXT'], 'example.com')?.map(({ record }) => record),
  )
})

void t.test('policies are split into parts with their meaning', async (t) => {
  const terms = (value: string, name = '@') => policyOf({ name, value })?.parts.map(({ term }) => term)
  t.same(terms('v=spf1 a:x.example ip6:2001:db8::/32 -all'), ['spf a', 'spf ip6', 'spf -all'])
  t.same(terms('v=DMARC1; p=none; rua=mailto:a@example.com'), ['dmarc p=none', 'dmarc rua'])
  t.same(terms('k=rsa; p=', 'key._domainkey'), ['dkim k', 'dkim p='])
  t.equal(policyOf({ name: '@', value: 'k=rsa; p=x' }), null)
})

void t.test('hints use the zone around a record', async (t) => {
  const types = typesByName([
    { name: 'www', recordType: 'A' },
    { name: 'alias', recordType: 'CNAME' },
    { name: 'text', recordType: 'TXT' },
  ])
  const around = { domain: 'example.com', types, apexCname: false, apexNs: false }
  const kinds = (recordType: string, name: string, value: string) =>
    hintsOf({ recordType, name, value }, around).map(({ kind }) => kind)
  t.same(kinds('CNAME', '@', 'www.example.net'), ['apex-alias'])
  t.same(kinds('CNAME', 'www', 'alias.example.com.'), ['not-alone', 'chain'])
  t.same(kinds('MX', '@', '10 www.example.com'), [])
  t.same(kinds('MX', '@', '10 alias.example.com'), ['alias-target'])
  t.same(kinds('SRV', '_sip._tcp', '1 1 1 text.example.com'), ['no-address'])
  t.same(kinds('MX', '@', '0 .'), ['null-mx'])
  t.same(kinds('NS', 'sub', 'ns.example.net'), ['delegation'])
  t.same(kinds('NS', '@', 'ns.example.net'), ['apex-ns'])
  t.same(kinds('A', 'x', '192.168.1.1\n8.8.8.8'), ['private'])
})

void t.test('the service searches for the longest word of a filter, and for types', async (t) => {
  const asked = (text: string) => askedOf(text, ['A', 'AAAA', 'MX'])
  t.same(asked('www example'), { search: 'example', in: 'name,value', type: [] })
  t.same(asked('mx name:mail ttl:<300'), { search: 'mail', in: 'name', type: ['MX'] })
  t.same(asked('type:a,aaaa is:changed'), { in: 'name,value', type: ['A', 'AAAA'] })
  t.equal(asked('is:changed'), null)
})
