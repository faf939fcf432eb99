import t from 'tap'
import { checkMailPolicy } from '../../dns/mail-policy/mail-policy.ts'
import { checkValue } from '../../dns/types/index.ts'

/** A text and the gist of its warnings, in order. */
type Case = [text: string, ...warnings: RegExp[]]

function check(title: string, owner: string, cases: Case[]): void {
  void t.test(title, async (t) => {
    for (const [text, ...warnings] of cases) {
      const found = checkMailPolicy(owner, text).map(({ message }) => message)
      t.equal(found.length, warnings.length, `${text}: ${JSON.stringify(found)}`)
      t.match(found, warnings)
    }
  })
}

check('SPF without fault', '@', [
  ['v=spf1 -all'],
  ['V=SPF1 MX ~ALL'],
  ['v=spf1 ip4:192.0.2.1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ip6:::1 ?all'],
  ['v=spf1 a mx a:mail.example.com a/24 mx//64 a:mail.example.com/24//64 -all'],
  ['v=spf1 include:_spf.example.com exists:%{ir}.%{v}._spf.%{d2} -all exp=why.example.com'],
  ['v=spf1 redirect=_spf.example.com'],
  ['v=spf1 unknown-modifier=value -all'],
  [`v=spf1 ${'mx '.repeat(10)}-all`],
])

check('SPF that fails or does not do what it says', '@', [
  ['v=spf1; -all', /must begin with "v=spf1" and a space/],
  ['v=spf10 -all', /must begin with "v=spf1" and a space/],
  ['v=spf1 mx', /ends without "all" or "redirect".*4\.7/],
  ['v=spf1', /ends without/],
  ['v=spf1 ipv4:192.0.2.1 -all', /"ipv4:192\.0\.2\.1" is not a valid mechanism.*4\.6\.1/],
  ['v=spf1 192.0.2.1 -all', /"192\.0\.2\.1" is not a valid mechanism/],
  ['v=spf1 mx, -all', /"mx," is not a valid mechanism/],
  ['v=spf1 -all mx', /"mx" after "all" is ignored.*5\.1/],
  ['v=spf1 -all redirect=example.com', /"redirect" is ignored because .*6\.1/],
  ['v=spf1 redirect=a.example redirect=b.example', /"redirect" appears twice/],
  ['v=spf1 mx -all v=spf1 a -all', /"v=spf1" appears twice/, /"a" after "all"/],
  ['v=spf1 +all', /allows anyone to send/],
  ['v=spf1 all', /allows anyone to send/],
  ['v=spf1 -all:example.com', /"all" takes no argument/],
  ['v=spf1 ptr -all', /"ptr" is slow and unreliable.*5\.5/],
  ['v=spf1 include -all', /"include" needs a domain name/],
  ['v=spf1 include: -all', /needs a domain name/],
  ['v=spf1 include:spf -all', /needs a domain name/],
  ['v=spf1 exists:%{x -all', /needs a domain name/],
  ['v=spf1 include=spf.example.com -all', /needs ":" instead of "="/],
  ['v=spf1 -redirect=example.com', /must not begin with "-"/],
  ['v=spf1 redirect=nowhere', /needs a domain name/],
  ['v=spf1 a:192.0.2.1 -all', /contains an address; use ip4 or ip6/],
  ['v=spf1 ip4:192.0.2.0/33 -all', /use the form "ip4:192\.0\.2\.0\/24".*5\.6/],
  ['v=spf1 ip4:2001:db8::1 -all', /use the form "ip4/],
  ['v=spf1 ip6:192.0.2.1 -all', /use the form "ip6/],
  ['v=spf1 a/33 -all', /invalid prefix length/],
  ['v=spf1 include:spf.example.com/24 -all', /invalid prefix length/],
  [`v=spf1 ${'mx '.repeat(11)}-all`, /needs 11 DNS lookups; with more than 10/],
  [`v=spf1 ${'a '.repeat(10)}redirect=example.com`, /needs 11 DNS lookups/],
])

check('DMARC', '_dmarc', [
  ['v=DMARC1; p=none'],
  ['v = DMARC1 ; p = reject;'],
  [
    'v=DMARC1; p=quarantine; sp=none; np=reject; adkim=s; aspf=r; fo=1:d:s; t=y; psd=n; pct=50; ri=86400; rf=afrf',
  ],
  ['v=DMARC1; p=none; rua=mailto:a@example.com, mailto:b@example.net!10m; ruf=mailto:c@example.com'],
  ['p=none; v=DMARC1', /must begin with "v=DMARC1"/],
  ['v=dmarc1; p=none', /must begin with "v=DMARC1"/],
  ['something else', /must begin with "v=DMARC1"/],
  ['v=DMARC1', /policy is missing; add "p=none"/],
  ['v=DMARC1; p=block', /"p" must be none, quarantine, reject/],
  ['v=DMARC1; p=none; sp=all', /"sp" must be/],
  ['v=DMARC1; p=none; p=reject', /"p" appears twice/],
  ['v=DMARC1; p=none; reject', /"reject" is not a "tag=value"/],
  ['v=DMARC1; p=none; pct=101', /"pct" must be a number from 0 to 100/],
  ['v=DMARC1; p=none; pct=half', /"pct" must be/],
  ['v=DMARC1; p=none; fo=2', /"fo" must be/],
  ['v=DMARC1; p=none; adkim=strict', /"adkim" must be r, s/],
  ['v=DMARC1; p=none; rua=dmarc@example.com', /"dmarc@example\.com" in "rua" is not a URI like "mailto:/],
  ['v=DMARC1; p=none; ruf=mailto:a@example.com;rua=mailto:', /"mailto:" in "rua"/],
  ['v=DMARC1; p=none; policy=none', /"policy" is not a DMARC tag/],
  ['v=DMARC1; p=none; constructor=x', /"constructor" is not a DMARC tag/],
])

check('DMARC for reports about another domain needs no policy', 'example.net._report._dmarc', [
  ['v=DMARC1;'],
  ['v=DMARC2', /must begin/],
])

check('DMARC of a subdomain', '_dmarc.sub', [['v=DMARC1', /policy is missing/]])

check('DMARC in the wrong place', '@', [['v=DMARC1; p=none', /only look for a policy at the name "_dmarc"/]])

check('DKIM', 'mail._domainkey', [
  ['v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEB'],
  ['v=DKIM1; k=ed25519; h=sha256; t=s; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
  ['p=MIGf MA0G'],
  ['v=DKIM1; k=rsa', /public key "p=" is missing.*3\.6\.1/],
  ['v=DKIM1; p=', /revoked/],
  ['v=DKIM1; p=not!base64', /not valid base64/],
  ['k=rsa; v=DKIM1; p=MIGf', /version, if present, must come first/],
  ['v=DKIM2; p=MIGf', /must .* be "v=DKIM1"/],
  ['v=DKIM1; k=dsa; p=MIGf', /"dsa" is not a valid key type/],
  ['v=DKIM1; p=MIGf; p=MIGf', /"p" appears twice/],
  ['just text', /not a "tag=value"/, /"p=" is missing/],
])

check('other texts are left alone', '@', [['hello'], ['google-site-verification=abc'], ['spf2.0/pra -all']])
check('the parent of selectors holds no key', '_domainkey', [['o=~']])

void t.test('a key in several strings, as pasted from a zone file', async (t) => {
  const value = checkValue('TXT', `"v=DKIM1; p=${'A'.repeat(200)}" "${'B'.repeat(200)}"`)
  t.strictSame(value.ok && checkMailPolicy('s1._domainkey.news', value.value), [])
})
