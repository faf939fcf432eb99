import t from 'tap'
import { MX_TARGET } from '../../dns/types/services/mx.ts'
import { CNAME_TARGET, NAME_SERVER } from '../../dns/types/hosts/targets.ts'
import { SRV_TARGET } from '../../dns/types/services/srv.ts'
import { isIpAddress } from '../../dns/addresses/ip.ts'
import { parseDomainName } from '../../dns/names/domain-names.ts'
import {
  absoluteName,
  type NameResult,
  parseHostName,
  parseOwner,
  relativeName,
  toAsciiName,
  toUnicodeName,
} from '../../dns/names/names.ts'

/** Input and what comes of it: a name, or the gist of the reason. */
type Case = [input: string, expected: string | RegExp]

function check(test: Tap, parse: (input: string) => NameResult, cases: Case[]): void {
  for (const [input, expected] of cases) {
    const result = parse(input)
    const title = JSON.stringify(input.length > 40 ? `${input.slice(0, 40)}…` : input)
    if (typeof expected === 'string') test.strictSame(result, { ok: true, name: expected }, title)
    else test.match(result, { ok: false, reason: expected }, title)
  }
}
type Tap = Pick<typeof t, 'match' | 'strictSame'>

const label63 = 'a'.repeat(63)
const name253 = `${`${label63}.`.repeat(3)}${'b'.repeat(61)}`

const TARGETS = { CNAME: CNAME_TARGET, NS: NAME_SERVER, MX: MX_TARGET, SRV: SRV_TARGET }

void t.test('toAsciiName brings any DNS name into its canonical form', async (t) => {
  check(t, toAsciiName, [
    ['WWW.Example.COM', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['_sip._tcp.example.com', '_sip._tcp.example.com'],
    ['a--b.example', 'a--b.example'],
    [label63, label63],
    [name253, name253],
    [`${name253}.`, name253],
  ])
})

void t.test('toAsciiName encodes Unicode labels, and only them', async (t) => {
  check(t, toAsciiName, [
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['例え．テスト｡', 'xn--r8jz45g.xn--zckzah'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    // Taken for addresses by the URL standard, which is what domainToASCII implements.
    ['127.1', '127.1'],
    ['0x7f.1', '0x7f.1'],
    ['１２７', '127'],
    ['é.1', 'xn--9ca.1'],
  ])
})

void t.test('toAsciiName refuses what is no name, with a reason', async (t) => {
  check(t, toAsciiName, [
    ['', /empty/],
    ['.', /empty/],
    ['a..b', /a label is empty/],
    ['.a', /a label is empty/],
    ['-a.example', /hyphen/],
    ['a-.example', /hyphen/],
    ['a b', /" " is not a letter/],
    ['*.example.com', /"\*" is not a letter/],
    ['a/b', /"\/" is not a letter/],
    ['http://example.com', /":" is not|"\/" is not/],
    ['a\0b', /is not a letter/],
    ['%61é', /"%" \(U\+0025\) is not allowed/],
    ['é/x', /"\/" \(U\+002F\) is not allowed/],
    ['é?x', /"\?" \(U\+003F\) is not allowed/],
    ['…é', /"…" \(U\+2026\) is not allowed/],
    ['a\u200db', /combination of characters/],
    ['\ud800', /\(U\+D800\) is not allowed/],
    [`${label63}a.example`, /longer than 63 octets/],
    [`${name253}b`, /longer than 253 octets/],
    ['ü'.repeat(100_000), /longer than 253 octets/],
    ['xn--a', /not valid punycode/],
    ['xn--99999999999', /not valid punycode/],
  ])
})

void t.test('Unicode labels are those of IDNA 2008, mapped by UTS #46', async (t) => {
  check(t, toAsciiName, [
    ['straße.de', 'xn--strae-oqa.de'],
    ['βόλος.com', 'xn--nxasmm1c.com'],
    ['ＢÜCHER.de', 'xn--bcher-kva.de'],
    ['l·l.cat', 'xn--ll-0ea.cat'],
    ['क्\u200dष', 'xn--11b2ezcw70k'],
    ['カ・カ', 'xn--lcka3v'],
    ['ᏣᎳᎩ', 'xn--f9dt7l'],
    ['“quoted”', /"“" \(U\+201C\) is not allowed/],
    ['a–b', /"–" \(U\+2013\) is not allowed/],
    ['it’s', /"’" \(U\+2019\) is not allowed/],
    ['☃', /"☃" \(U\+2603\) is not allowed/],
    ['a€', /"€" \(U\+20AC\) is not allowed/],
    ['a≠b', /"≠" \(U\+2260\) is not allowed/],
    ['½', /"½" \(U\+00BD\) is not allowed/],
    ['a·b', /"·" \(U\+00B7\) is not allowed/],
    ['・', /"・" \(U\+30FB\) is not allowed/],
    ['aא', /combination of characters/],
    ['٠۰', /combination of characters/],
    ['-é', /hyphen/],
    ['ab--é', /"--" in the third/],
    // What stands in the DNS already, in its own form.
    ['xn--n3h', 'xn--n3h'],
  ])
})

void t.test('toUnicodeName shows a name to people', async (t) => {
  t.equal(toUnicodeName('xn--mnchen-3ya.de'), 'münchen.de')
  t.equal(toUnicodeName('*.xn--mnchen-3ya.de'), '*.münchen.de')
  t.equal(toUnicodeName('www.example.com'), 'www.example.com')
  t.equal(toUnicodeName('xn--99999999999.de'), 'xn--99999999999.de', 'what cannot be decoded stays')
})

void t.test('isIpAddress', async (t) => {
  for (const address of ['192.0.2.1', '::1', '2001:DB8::1', 'fe80::1%eth0'])
    t.ok(isIpAddress(address), address)
  for (const other of ['127.1', '1.2.3.4.5', 'example.com', '', '[::1]']) t.notOk(isIpAddress(other), other)
})

void t.test('parseHostName', async (t) => {
  void t.test('takes the full name of a host', async (t) => {
    for (const type of ['CNAME', 'NS', 'MX', 'SRV'] as const) {
      check(t, (input) => parseHostName(input, TARGETS[type]), [
        ['Mail.Example.com.', 'mail.example.com'],
        [' mail.example.com ', 'mail.example.com'],
        ['bücher.example', 'xn--bcher-kva.example'],
      ])
    }
  })
  void t.test('refuses an address, and says what the type is for', async (t) => {
    check(t, (input) => parseHostName(input, TARGETS.CNAME), [
      ['192.0.2.1', /"192\.0\.2\.1" is an IP address; a CNAME must point to a name/],
      ['192.0.2.1.', /is an IP address/],
      ['2001:db8::1', /is an IP address; a CNAME must point to a name/],
    ])
    check(t, (input) => parseHostName(input, TARGETS.MX), [['192.0.2.1', /an MX must name a mail server/]])
    check(t, (input) => parseHostName(input, TARGETS.NS), [['300.1.2.3', /last label must not be a number/]])
  })
  void t.test('refuses a lone label, which was meant relative to the zone', async (t) => {
    check(t, (input) => parseHostName(input, TARGETS.CNAME), [
      ['www', /not a full name; .* for example "www\.example\.com"/],
      ['', /empty/],
      ['not a domain', /is not a letter/],
    ])
  })
  void t.test('has the root for MX and SRV only', async (t) => {
    for (const type of ['MX', 'SRV'] as const)
      check(t, (input) => parseHostName(input, TARGETS[type]), [['.', '.']])
    for (const type of ['CNAME', 'NS'] as const)
      check(t, (input) => parseHostName(input, TARGETS[type]), [['.', /root/]])
  })
  void t.test('has underscores for CNAME only', async (t) => {
    check(t, (input) => parseHostName(input, TARGETS.CNAME), [['_x._y.example.net', '_x._y.example.net']])
    for (const type of ['NS', 'MX', 'SRV'] as const) {
      check(t, (input) => parseHostName(input, TARGETS[type]), [['ns_1.example.net', /underscore/]])
    }
  })
})

void t.test('parseDomainName takes what can be registered or delegated', async (t) => {
  check(t, parseDomainName, [
    ['Example.COM.', 'example.com'],
    ['sub.example.com', 'sub.example.com'],
    ['example.co.uk', 'example.co.uk'],
    ['github.io', 'github.io'],
    ['www.ck', 'www.ck'],
    ['公司.example', 'xn--55qx5d.example'],
    ['corp.internal', 'corp.internal'],
    ['example.test', 'example.test'],
    ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  ])
})

void t.test('parseDomainName refuses the rest', async (t) => {
  check(t, parseDomainName, [
    ['', /empty/],
    ['localhost', /only one label/],
    ['com', /only one label/],
    ['co.uk', /public suffix/],
    ['CO.UK.', /public suffix/],
    ['anything.ck', /public suffix/],
    ['公司.cn', /public suffix/],
    ['_dmarc.example.com', /underscore/],
    ['*.example.com', /"\*" is not/],
    ['192.0.2.1', /IP address/],
    ['example.123', /last label must not be a number/],
    ['0/25.2.0.192.in-addr.example', /"\/" is not/],
    ['0/8.in-addr.arpa', /"\/" is not/],
    ['a/25.2.0.192.in-addr.arpa', /"\/" is not/],
  ])
})

void t.test('reverse zones of less than a /24 have their names (RFC 2317)', async (t) => {
  const reverse = '2.0.192.in-addr.arpa'
  t.same(parseDomainName(`0/25.${reverse}`), { ok: true, name: `0/25.${reverse}` })
  t.same(parseDomainName(`0/25.${reverse.toUpperCase()}.`), { ok: true, name: `0/25.${reverse}` })
  t.same(parseHostName(`1.128/26.${reverse}.`, TARGETS.CNAME), { ok: true, name: `1.128/26.${reverse}` })
  t.same(parseOwner('0/25', reverse), { ok: true, name: '0/25' })
  t.same(parseOwner('1.0/25', reverse), { ok: true, name: '1.0/25' })
  t.same(parseOwner(`1.0/25.${reverse}`, `0/25.${reverse}`), { ok: true, name: '1' })
})

void t.test('parseOwner makes a name relative to its zone', async (t) => {
  const zone = 'example.com'
  void t.test('accepted', async (t) => {
    check(t, (input) => parseOwner(input, zone), [
      ['@', '@'],
      ['example.com', '@'],
      ['Example.com.', '@'],
      ['www', 'www'],
      ['WWW', 'www'],
      [' www ', 'www'],
      ['www.example.com', 'www'],
      ['www.example.com.', 'www'],
      ['a.b.example.com', 'a.b'],
      ['*', '*'],
      ['*.example.com', '*'],
      ['*.Dev.example.com.', '*.dev'],
      ['*.dev', '*.dev'],
      ['_sip._tcp', '_sip._tcp'],
      ['bücher', 'xn--bcher-kva'],
      ['*。bücher', '*.xn--bcher-kva'],
      // Not under the zone, and no final dot: relative, as in a zone file.
      ['www.other.net', 'www.other.net'],
      ['notexample.com', 'notexample.com'],
    ])
  })
  void t.test('refused', async (t) => {
    check(t, (input) => parseOwner(input, zone), [
      ['', /use "@" for the domain itself/],
      ['   ', /use "@"/],
      ['www.', /"www\." is outside example\.com/],
      ['www.other.net.', /outside example\.com/],
      ['notexample.com.', /outside example\.com/],
      ['*.', /outside example\.com/],
      ['a.*', /whole first label/],
      ['a*.b', /whole first label/],
      ['*a', /whole first label/],
      ['*.*', /whole first label/],
      ['**', /whole first label/],
      ['a b', /is not a letter/],
      ['a..b', /label is empty/],
      ['0/25', /"\/" is not/],
    ])
  })
  void t.test('the full name has at most 253 octets', async (t) => {
    const fits = name253.slice(0, 253 - zone.length - 1)
    check(t, (input) => parseOwner(input, zone), [
      [fits, fits],
      [`${fits}b`, /longer than 253 octets/],
      [`*.${fits}`, /longer than 253 octets/],
      [`${name253}.${zone}`, /longer than 253 octets/],
    ])
  })
})

void t.test('absoluteName and relativeName are the two directions', async (t) => {
  for (const [owner, fqdn] of [
    ['@', 'example.com'],
    ['www', 'www.example.com'],
    ['*.a', '*.a.example.com'],
  ] as const) {
    t.equal(absoluteName(owner, 'example.com'), fqdn)
    t.equal(relativeName(fqdn, 'example.com'), owner)
    t.equal(relativeName(`${fqdn.toUpperCase()}.`, 'example.com'), owner.toLowerCase())
  }
  t.equal(relativeName('www.example.net', 'example.com'), null)
  t.equal(relativeName('notexample.com', 'example.com'), null)
})
