import t from 'tap'
import { parseOwner } from '../../dns/names/names.ts'
import { checkValue, RECORD_TYPES, typeOf } from '../../dns/types/index.ts'
import { faultOfName, faultOfValue, faultsOfFields } from '../../web/zone/faults.ts'

/* What the console finds wrong by itself the service finds wrong, too. */

const LONG = 'a'.repeat(64)
const ADDRESSES = [
  '192.0.2.1',
  '192.0.2.999',
  '192.0.2',
  '010.0.0.1',
  '1.2.3.4.',
  '2001:db8::1',
  '::ffff:192.0.2.1',
]
const IPV6 = ['fe80::1%eth0', '2001:db8:::1', '1:2:3:4:5:6:7:8:9', '::', ':', '::1.2.3', '[::1]', '1::2::3']
const NAMES = [
  'www.example.com',
  'www.example.com.',
  'www',
  '.',
  '..',
  'a..b',
  '-a.example',
  'a-.example',
  '_a.example',
]
const ODD = [
  'münchen.example',
  'WWW.Example.COM',
  '例。中国',
  `${LONG}.example`,
  'a b.example',
  'a/b.example',
  '1.5',
  '',
]
const RDATA = [
  '\\# 4 c0000201',
  '0/25.2.0.192.in-addr.arpa',
  '"quoted"',
  'x'.repeat(2049),
  'a\tb',
  'a\nb',
  '"a" "b"',
]
const TEXTS = [...ADDRESSES, ...IPV6, ...NAMES, ...ODD, ...RDATA]
const VALUES: Record<string, string[]> = {
  MX: TEXTS.flatMap((text) => [
    text,
    `10 ${text}`,
    `0 ${text}`,
    `70000 ${text}`,
    `x ${text}`,
    `10 10 ${text}`,
  ]),
  SRV: TEXTS.flatMap((text) => [
    `60 5060 ${text}`,
    `10 60 5060 ${text}`,
    `10 60 0 ${text}`,
    `1 2 65536 ${text}`,
  ]),
  CAA: [
    ...TEXTS.flatMap((text) => [
      text,
      `0 issue ${text}`,
      `0 issue "${text}"`,
      `256 issue ${text}`,
      `0 ${text}`,
    ]),
    '0 issue letsencrypt.org; validationmethods=dns-01',
    '0 issue "',
    '0 issue ""',
    '0 issue ;',
    '0 iodef "mailto:a@example.com"',
  ],
}

void t.test('every value the service accepts passes', async (t) => {
  for (const recordType of RECORD_TYPES) {
    for (const value of [...TEXTS, ...(VALUES[recordType] ?? []), typeOf(recordType).example]) {
      const fault = faultOfValue({ recordType, value })
      if (fault) t.notOk(checkValue(recordType, value).ok, `${recordType} ${value}: ${fault.kind}`)
      // The record that is changed has one.
      const kept = faultOfValue({ recordType, value }, true)
      if (kept)
        t.notOk(
          checkValue(recordType, value, 0).ok && checkValue(recordType, value).ok,
          `${recordType} ${value}`,
        )
    }
  }
})

void t.test('common mistakes are found', async (t) => {
  const kinds = (recordType: string, values: string[]) =>
    values.map((value) => faultOfValue({ recordType, value })?.kind ?? null)
  t.same(kinds('A', ['192.0.2.999', '2001:db8::1', ' 192.0.2.1 ', '']), ['ipv4', 'ipv4', null, 'empty'])
  t.same(kinds('AAAA', ['2001:db8::1', '192.0.2.1', '2001:db8:::1']), [null, 'ipv6', 'ipv6'])
  t.same(kinds('CNAME', ['www', '192.0.2.1', 'a..b.example', '.', '_dmarc.example.com']), [
    'not-full',
    'not-a-name',
    'name',
    'root',
    null,
  ])
  t.same(kinds('NS', ['_a.example.com', 'ns1.example.net.']), ['underscore', null])
  t.same(kinds('MX', ['mail.example.com', '10 mail', '70000 mail.example.com', '10 .', '0 .']), [
    'form',
    'not-full',
    'range',
    'no-mail',
    null,
  ])
  t.same(kinds('SRV', ['1 2 0 a.example', '1 2 0 .', '1 2 3']), ['port', null, 'form'])
  t.same(kinds('CAA', ['0 issue', '300 issue "a.example"', 'issue "a.example"']), ['empty', 'range', 'form'])
  t.same(kinds('TXT', ['x'.repeat(2049), 'a\nb', 'v=spf1 -all']), ['too-long', 'control', null])
  t.equal(faultOfValue({ recordType: 'MX', value: 'mail.example.com' }, true), null, 'it keeps its priority')
  t.same(
    faultsOfFields('MX', ['', 'mail']).map((fault) => fault?.kind),
    ['empty', 'not-full'],
  )
  t.same(faultsOfFields('NAPTR', ['10', '']), [null, null], 'of others the service says it')
})

void t.test('names', async (t) => {
  const zone = 'example.com'
  const names = [
    '@',
    'www',
    '*',
    '*.dev',
    'www.example.com',
    'www.example.com.',
    '_sip._tcp',
    'a.*',
    '*a',
    '*.',
    'a..b',
  ]
  const all = [
    ...names,
    '-a',
    LONG,
    'www.example.net.',
    'a b',
    'a/b',
    '例。中国。',
    'a'.repeat(300),
    'example.com.',
    '.',
  ]
  for (const name of all) {
    const fault = faultOfName(name, zone)
    t.equal(fault === null, parseOwner(name, zone).ok, `${name}: ${fault?.kind}`)
  }
  t.equal(faultOfName('1', '0/25.2.0.192.in-addr.arpa'), null)
})
