import t from 'tap'
import { checkValue } from '../../dns/types/index.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { generateValues } from './generate.ts'

/** Input and its canonical form, or the gist of the reason for refusing it. */
type Case = [input: string, expected: string | RegExp]

const titleOf = (input: string) => JSON.stringify(input.length > 50 ? `${input.slice(0, 50)}…` : input)

/** `priority` is what an accepted value of the type has. */
function check(type: RecordType, cases: Case[]): void {
  void t.test(type, async (t) => {
    for (const [input, expected] of cases) {
      const result = checkValue(type, input)
      if (typeof expected === 'string') t.match(result, { ok: true, value: expected }, titleOf(input))
      else t.match(result, { ok: false, errors: [{ path: 'value', message: expected }] }, titleOf(input))
    }
  })
}

check('A', [
  ['192.0.2.1', '192.0.2.1'],
  ['0.0.0.0', '0.0.0.0'],
  [' 255.255.255.255 ', '255.255.255.255'],
  ['256.0.0.1', /four numbers 0-255 without leading zeros, for example "192\.0\.2\.1"/],
  ['192.0.2', /not an IPv4 address/],
  ['192.0.2.1.5', /not an IPv4 address/],
  ['127.1', /not an IPv4 address/],
  ['010.0.0.1', /leading zeros/],
  ['0x7f.0.0.1', /not an IPv4 address/],
  ['192.0.2.1/24', /not an IPv4 address/],
  ['１92.0.2.1', /not an IPv4 address/],
  ['2001:db8::1', /not an IPv4 address/],
  ['example.com', /not an IPv4 address/],
  ['', /not an IPv4 address/],
])

check('AAAA', [
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::0001', '2001:db8::1'],
  ['::', '::'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
  ['::ffff:c000:201', '::ffff:192.0.2.1'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ['::192.0.2.1', '::c000:201'],
  ['192.0.2.1', /an IPv4 address \(use type A\)/],
  ['fe80::1%eth0', /zone id/],
  ['1::2::3', /not an IPv6 address, for example "2001:db8::1"/],
  ['2001:db8::12345', /not an IPv6 address/],
  ['[2001:db8::1]', /not an IPv6 address/],
  ['::ffff:01.2.3.4', /not an IPv6 address/],
  ['', /not an IPv6 address/],
])

check('CNAME', [
  ['WWW.Example.COM.', 'www.example.com'],
  ['_abc._def.acm-validations.aws.', '_abc._def.acm-validations.aws'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['192.0.2.1', /is an IP address; a CNAME must point to a name/],
  ['www', /not a full name/],
  ['*.example.com', /"\*" is not/],
  ['www.example.com/path', /"\/" is not/],
  ['not a domain', /is not a letter/],
  ['.', /root/],
  ['', /empty/],
])

check('NS', [
  ['NS1.example.net.', 'ns1.example.net'],
  ['192.0.2.53', /is an IP address; an NS must name a server/],
  ['ns_1.example.net', /underscore/],
  ['ns1', /not a full name/],
])

check('MX', [
  ['10 Mail.Example.com.', '10 mail.example.com'],
  ['  010 \t mail.example.com ', '10 mail.example.com'],
  ['0 mail.example.com', '0 mail.example.com'],
  ['65535 mail.example.com', '65535 mail.example.com'],
  ['10 bücher.example', '10 xn--bcher-kva.example'],
  ['0 .', '0 .'],
  ['10 .', /null MX.* must have priority 0/],
  ['65536 mail.example.com', /priority must be a number from 0 to 65535/],
  ['-1 mail.example.com', /priority must be a number/],
  ['1.5 mail.example.com', /priority must be a number/],
  ['ten mail.example.com', /priority must be a number/],
  ['10 192.0.2.1', /an MX must name a mail server/],
  ['10 mail_1.example.com', /underscore/],
  ['10', /MX must be "<priority> <host>", for example "10 mail\.example\.com"/],
  ['10 mail.example.com extra', /MX must be/],
  ['', /MX must be/],
])

check('SRV', [
  ['10 60 5060 SIP.example.com.', '10 60 5060 sip.example.com'],
  ['0  0\t1 sip.example.com', '0 0 1 sip.example.com'],
  ['65535 65535 65535 sip.example.com', '65535 65535 65535 sip.example.com'],
  ['0 0 443 .', '0 0 443 .'],
  ['10 60 0 sip.example.com', /port of an SRV must be a number from 1 to 65535/],
  ['0 0 0 .', '0 0 0 .'],
  ['0 0 0 sip.example.com', /port/],
  ['10 60 65536 sip.example.com', /port/],
  ['10 65536 5060 sip.example.com', /weight of an SRV must be a number from 0 to 65535/],
  ['65536 60 5060 sip.example.com', /priority must be a number from 0 to 65535/],
  ['10 60 5060 192.0.2.1', /an SRV must name a server/],
  ['60 sip.example.com', /SRV must be "<priority> <weight> <port> <target>", for example/],
  ['10 60 5060 sip.example.com x', /SRV must be/],
  ['', /SRV must be/],
])

check('CAA', [
  ['0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['0 ISSUE "letsencrypt.org"', '0 issue "letsencrypt.org"'],
  ['128  issuewild\t"ca.example; policy=ev; a=b"', '128 issuewild "ca.example; policy=ev; a=b"'],
  [
    '0 issue letsencrypt.org; validationmethods=dns-01',
    '0 issue "letsencrypt.org; validationmethods=dns-01"',
  ],
  ['0 issue "letsencrypt.org;"', '0 issue "letsencrypt.org;"'],
  ['0 issue ";"', '0 issue ";"'],
  ['0 issue ;', '0 issue ";"'],
  ['255 issuemail ";"', '255 issuemail ";"'],
  ['0 issuevmc "ca.example"', '0 issuevmc "ca.example"'],
  ['0 issue "ca.example; a=x\\"y\\\\z"', '0 issue "ca.example; a=x\\"y\\\\z"'],
  // RFC 8659 has no final dot: nobody would be meant.
  ['0 issue "ca.example."', '0 issue "ca.example"'],
  ['0 issue "ca.example.; a=b.c."', '0 issue "ca.example; a=b.c."'],
  ['0 issue "bücher.example; a=b"', '0 issue "xn--bcher-kva.example; a=b"'],
  ['0 iodef "mailto:security@example.com"', '0 iodef "mailto:security@example.com"'],
  ['0 iodef https://example.com/caa', '0 iodef "https://example.com/caa"'],
  ['0 contactemail hostmaster@example.com', '0 contactemail "hostmaster@example.com"'],
  ['0 contactphone "+1-555-0100"', '0 contactphone "+1-555-0100"'],
  ['256 issue "ca.example"', /flag of a CAA must be a number from 0 to 255/],
  ['-1 issue "ca.example"', /CAA must be "<flag> <tag> <value>", for example '0 issue/],
  ['issue "ca.example"', /CAA must be/],
  ['0 issue', /CAA must be/],
  ['0 issue "ca.example', /CAA must be/],
  ['0 issue "ca.example" more', /CAA must be/],
  ['0 issue "ca.example\\"', /CAA must be/],
  ['0 isue "ca.example"', /"isue" is not a CAA tag; use one of issue, issuewild/],
  ['0 constructor "x"', /not a CAA tag/],
  ['0 issue ""', /to forbid all issuers/],
  ['0 issue "not a name"', /issuer of a CAA/],
  ['0 issue "my_ca.example"', /issuer of a CAA is not valid: "my_ca\.example" has an underscore/],
  ['0 issue “letsencrypt.org”', /issuer of a CAA is not valid: .*"“" \(U\+201C\) is not allowed/],
  ['0 issue "ca.example; dns-01"', /"dns-01" is not a valid CAA parameter/],
  ['0 issue "ca.example; a=é"', /not a valid CAA parameter/],
  ['0 iodef "security@example.com"', /mailto:, http: or https:/],
  ['0 iodef "ftp://example.com"', /mailto:, http: or https:/],
  ['0 iodef "https://"', /mailto:, http: or https:/],
  ['0 contactemail "example.com"', /contactemail must be an address/],
  ['0 contactphone "call me"', /contactphone must be a number/],
  ['0 contactemail "a@é.example"', /must be ASCII/],
  ['0 issue "a\\010b"', /a single line/],
  [`0 issue "ca.example; a=${'x'.repeat(2048)}"`, /at most 2048/],
])

check('TXT', [
  ['v=spf1 -all', 'v=spf1 -all'],
  ['  spaces count\t', '  spaces count\t'],
  ['say "hi" \\ there; (really)', 'say "hi" \\ there; (really)'],
  ['"', '"'],
  ['größe 😀', 'größe 😀'],
  ['x'.repeat(2048), 'x'.repeat(2048)],
  ['😀'.repeat(2048), '😀'.repeat(2048)],
  ['', /must not be empty/],
  ['x'.repeat(2049), /has 2049 characters; at most 2048/],
  ['😀'.repeat(2049), /has 2049 characters/],
  ['x'.repeat(1_000_000), /at most 2048/],
  ['two\nlines', /line breaks/],
  ['two\r\nlines', /line breaks/],
  ['a\0b', /NUL/],
  ['a\u0007b', /control characters/],
  ['a\u0085b', /control characters/],
  ['\ud83d', /surrogate/],
])

void t.test('TXT in quotes is a paste from a zone file', async (t) => {
  const cases: Case[] = [
    ['"v=spf1 -all"', 'v=spf1 -all'],
    [' "v=spf1 -all" ', 'v=spf1 -all'],
    ['"v=DKIM1; k=rsa; p=AAAA" "BBBB"', '"v=DKIM1; k=rsa; p=AAAA" "BBBB"'],
    ['"a\\"b\\\\c\\059d"', 'a"b\\c;d'],
    ['"caf\\195\\169"', 'café'],
    // Quotes that belong to the text have to be asked for; what is read is what may be written back.
    ['"\\"quoted\\""', '"\\"quoted\\""'],
    // Bytes that are no text stay escaped.
    ['"caf\\233"', '"caf\\233"'],
    // Not as a whole in quotes: nothing is taken off.
    ['"a" and "b"', '"a" and "b"'],
    ['"a"b"', '"a"b"'],
    ['"open', '"open'],
    ['"broken \\1 escape"', '"broken \\1 escape"'],
    ['""', /must not be empty/],
    ['"two\\010lines"', /line breaks/],
    [`"${'x'.repeat(1500)}" "${'y'.repeat(548)}"`, 'x'.repeat(1500) + 'y'.repeat(548)],
    [`"${'x'.repeat(2049)}"`, /2049 characters/],
  ]
  for (const [input, expected] of cases) {
    const result = checkValue('TXT', input)
    if (typeof expected === 'string')
      t.strictSame(result, { ok: true, value: expected, priority: null }, titleOf(input))
    else t.match(result, { ok: false, errors: [{ message: expected }] }, titleOf(input))
  }
})

void t.test('priority stands in the value, beside it, or in both alike', async (t) => {
  const mx = { ok: true, value: '10 mail.example.com', priority: 10 }
  const srv = { ok: true, value: '10 60 5060 sip.example.com', priority: 10 }
  t.strictSame(checkValue('MX', '10 mail.example.com'), mx)
  t.strictSame(checkValue('MX', '10 mail.example.com', null), mx)
  t.strictSame(checkValue('MX', 'mail.example.com', 10), mx)
  t.strictSame(checkValue('MX', '10 mail.example.com', 10), mx)
  t.strictSame(checkValue('MX', '.', 0), { ok: true, value: '0 .', priority: 0 })
  t.strictSame(checkValue('SRV', '10 60 5060 sip.example.com'), srv)
  t.strictSame(checkValue('SRV', '60 5060 sip.example.com', 10), srv)
  t.strictSame(checkValue('SRV', '10 60 5060 sip.example.com', 10), srv)
  for (const [type, value, priority, message] of [
    ['MX', 'mail.example.com', null, /priority is missing; .*"10 mail\.example\.com"/],
    ['MX', '10 mail.example.com', 20, /priority is 20, but the value has 10/],
    ['MX', 'mail.example.com', 65536, /whole number from 0 to 65535/],
    ['MX', 'mail.example.com', -1, /whole number/],
    ['MX', 'mail.example.com', 1.5, /whole number/],
    ['SRV', '60 5060 sip.example.com', null, /priority is missing/],
    ['SRV', '10 60 5060 sip.example.com', 0, /priority is 0, but the value has 10/],
    ['A', '192.0.2.1', 0, /only MX and SRV have a priority/i],
    ['TXT', 'text', 10, /only MX and SRV have a priority/i],
  ] as const) {
    const result = checkValue(type, value, priority)
    t.match(result, { ok: false, errors: [{ path: 'priority', message }] }, `${type} ${value}, ${priority}`)
  }
})

void t.test('all that is wrong is said at once', async (t) => {
  const result = checkValue('SRV', '70000 70000 0 192.0.2.1')
  t.equal(result.ok ? 0 : result.errors.length, 4)
  t.match(checkValue('A', 'x', 1), { errors: [{ path: 'value' }, { path: 'priority' }] })
})

void t.test('a reason does not repeat endless input', async (t) => {
  for (const type of ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'SRV', 'CAA', 'TXT'] as const) {
    const result = checkValue(type, 'x'.repeat(1_000_000))
    t.ok(!result.ok && result.errors.every((error) => error.message.length < 250), type)
  }
})

void t.test('checking a canonical value again changes nothing', async (t) => {
  let accepted = 0
  for (const { type, value } of generateValues(4000)) {
    const first = checkValue(type, value)
    if (!first.ok) continue
    accepted++
    const again = checkValue(type, first.value, first.priority)
    if (!again.ok || again.value !== first.value || again.priority !== first.priority) {
      t.strictSame(again, first, `${type} ${value}`)
    }
  }
  t.ok(accepted > 3500, `${accepted} values`)
})
