import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { txtFromText } from '../../../dns/types/txt.ts'

const KEY = Buffer.alloc(300, 'MIIBIjANBgkqhkiG9w0BAQEFAAOC').toString()

/** Canonical values of an RRset. */
export interface Sample {
  name: string
  values: string[]
}

const SAMPLES: Partial<Record<RecordType, Sample[]>> = {
  A: [{ name: 'www', values: ['192.0.2.1', '192.0.2.2'] }],
  AAAA: [{ name: 'www', values: ['2001:db8::1', '2001:db8:1:2:3:4:5:6'] }],
  CNAME: [
    { name: 'alias', values: ['target.example.net'] },
    { name: '_domainconnect', values: ['_under.score.example.net'] },
  ],
  NS: [{ name: 'sub', values: ['ns1.example.net', 'ns2.example.net'] }],
  MX: [{ name: 'mail', values: ['10 mx1.example.net', '20 mx2.example.net'] }],
  TXT: [
    { name: 'plain', values: ['v=spf1 include:_spf.example.net -all', 'plain'] },
    { name: '_dmarc', values: ['v=DMARC1; p=none; rua=mailto:a@example.net'] },
    { name: 'key._domainkey', values: [`v=DKIM1; k=rsa; p=${KEY}`] },
  ],
  SRV: [{ name: '_sip._tcp', values: ['10 60 5060 sip.example.net', '20 0 5061 .'] }],
  CAA: [{ name: '@', values: ['0 issue "letsencrypt.org; validationmethods=dns-01"', '128 issuewild ";"'] }],
  PTR: [{ name: '7', values: ['host.example.net', 'other.example.net'] }],
  HTTPS: [
    { name: '@', values: ['1 . alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'] },
    { name: 'binding', values: ['1 svc.example.net port=8443', '2 . key65400="a \\"b\\" \\\\ c"'] },
    { name: 'binding-alias', values: ['0 svc.example.net'] },
  ],
  NAPTR: [
    {
      name: 'naptr',
      values: [
        '10 10 "" "" "!^\\\\+44(.*)$!sip:\\\\1@example.net!" .',
        '20 10 "s" "SIP+D2U" "" _sip._udp.example.net',
      ],
    },
  ],
  LOC: [{ name: 'loc', values: ['33 51 54.300 S 151 12 29.990 W 107.23m 30.00m 10.00m 0.02m'] }],
}

/** Of types without samples of their own the example that clients are shown. */
export const samplesOf = (type: RecordType): Sample[] =>
  SAMPLES[type] ?? [
    {
      name: typeOf(type).place === 'apex' ? '@' : `of-${type.toLowerCase()}`,
      values: [typeOf(type).example],
    },
  ]

/** What is special about their names. */
export const NAMES: Record<string, Sample & { type: RecordType }> = {
  'the apex': { name: '@', type: 'A', values: ['192.0.2.1'] },
  'a wildcard': { name: '*', type: 'A', values: ['192.0.2.2'] },
  'a wildcard below a name': { name: '*.deep.er', type: 'AAAA', values: ['2001:db8::2'] },
  underscores: { name: '_acme-challenge._x.www', type: 'TXT', values: ['token'] },
  'a name of another script': { name: 'xn--mnchen-3ya', type: 'A', values: ['192.0.2.3'] },
  'targets of another script': { name: 'idn', type: 'CNAME', values: ['www.xn--bcher-kva.example'] },
  'a label of 63 characters': { name: 'x'.repeat(63), type: 'A', values: ['192.0.2.4'] },
  'eight labels': { name: 'a.b.c.d.e.f.g.h', type: 'A', values: ['192.0.2.5'] },
  'digits alone': { name: '192', type: 'PTR', values: ['host.example.net'] },
}

const text = (...values: string[]) => values.map(txtFromText)

/** Texts that are hard to bring over. */
export const TEXTS: Record<string, string[]> = {
  'of 1 character': text('x'),
  'of 255 characters': text('a'.repeat(255)),
  'of 256 characters': text('b'.repeat(256)),
  'of 2,048 characters': text('0123456789abcdef'.repeat(128)),
  'with quotes': text('say "hi"', '"quoted"', '"'),
  'with backslashes': text('back\\slash', '\\', '\\"both\\"', 'C:\\065'),
  'with quotes and backslashes over the bounds of strings': text(`${'"\\'.repeat(200)}ü`),
  'with semicolons, and what else zone files have a meaning for': text('a; b', '(a) @ $ORIGIN %'),
  'with characters beyond ASCII': text('grüße 🎉 日本', `${'ü'.repeat(127)}xü`),
  'with spaces at both ends and in between': text('  two  spaces  '),
  'in strings of their own bounds': ['"txtvers=1" "qtotal=1"', `"${'a'.repeat(10)}" "${'b'.repeat(255)}"`],
}
