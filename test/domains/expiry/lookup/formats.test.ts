import t from 'tap'
import { parseMoment } from '../../../../modules/domains/expiry/lookup/moments.ts'
import { eppStatus } from '../../../../modules/domains/expiry/lookup/registration.ts'
import { readWhois, referralIn } from '../../../../modules/domains/expiry/lookup/whois-answer.ts'
import { formatOf, questionFor } from '../../../../modules/domains/expiry/lookup/whois-formats.ts'

/** The date that is read of a line as the registry of the TLD writes it, in an answer with nothing else. */
function dateOf(tld: string, line: string): string | null {
  const answer = readWhois(`Domain: test.${tld}\nRegistrar: Test\n${line}\n`, formatOf(`test.${tld}`))
  if (answer.kind !== 'registered') return answer.kind
  return answer.registration.expiresAt?.toISOString().replace('.000Z', 'Z') ?? null
}

const LINES: [tlds: string, line: string, date: string | null][] = [
  ['com net org dev', '   Registry Expiry Date: 2020-08-04T23:59:59Z', '2020-08-04T23:59:59Z'],
  ['com', 'Registrar Registration Expiration Date: 2020-06-06T00:00:00-0700', '2020-06-06T07:00:00Z'],
  ['xyz', 'Registry Expiry Date: 2020-08-04T23:59:59.0Z', '2020-08-04T23:59:59Z'],
  ['org', 'Registry Expiry Date: 2020-08-04T23:59:59.243Z', '2020-08-04T23:59:59Z'],
  ['cn xn--fiqs8s', 'Expiration Time: 2020-03-17 12:48:36', '2020-03-17T04:48:36Z'],
  ['jp', '[Expires on]                    2020/05/31', '2020-05-31T00:00:00Z'],
  ['co.jp', '[Registered Date]               2019/09/27', null],
  ['kr', 'Expiration Date             : 2020. 05. 19.', '2020-05-19T00:00:00Z'],
  ['uk co.uk', '        Expiry date:  22-Oct-2019', '2019-10-22T00:00:00Z'],
  ['uk', '        Registered on: before Aug-1996', null],
  ['fr re pm tf wf yt', 'Expiry Date: 2020-05-05T08:07:09Z', '2020-05-05T08:07:09Z'],
  ['fr', 'Expiry Date: 05/04/2012', '2012-04-05T00:00:00Z'],
  ['de', 'Changed: 2008-10-22T11:33:44+02:00', null],
  ['at', 'changed: 20221101 00:10:24', null],
  ['de nl eu at ch li lu be nz gg', 'Expires: 2030-01-01', null],
  ['gg', 'Registered on 30th April 2003 at 00:00:00.000', null],
  ['it', 'Expire Date:        2020-08-28', '2020-08-28T00:00:00Z'],
  ['pl', 'renewal date:          2032.03.16 01:08:04', '2032-03-16T01:08:04Z'],
  ['pl', 'option expiration date:       2019.10.19 09:27:53', null],
  ['ru su xn--p1ai', 'paid-till:     2020-11-20T21:00:00Z', '2020-11-20T21:00:00Z'],
  ['ru', 'free-date:     2020-12-22', null],
  ['fi', 'expires............: 15.12.2020 09:37:54', '2020-12-15T09:37:54Z'],
  ['fi', 'expires............: 17.7.2022 22:16:55', '2022-07-17T22:16:55Z'],
  ['se nu', 'expires:          2024-01-28', '2024-01-28T00:00:00Z'],
  ['dk', 'Expires:              2025-04-30', '2025-04-30T00:00:00Z'],
  ['cz', 'expire:       22.07.2014', '2014-07-22T00:00:00Z'],
  ['sk', 'Valid Until:               2025-04-24', '2025-04-24T00:00:00Z'],
  ['ee', 'expire:     2021-01-24', '2021-01-24T00:00:00Z'],
  ['pt', 'Expiration Date: 02/11/2019 23:59:00', '2019-11-02T23:59:00Z'],
  ['tk', '   Record will expire on: 03/02/2020', null],
  ['hk', 'Expiry Date: 11-07-2020', '2020-07-11T00:00:00Z'],
  ['il', 'validity:     05-06-2026', '2026-06-05T00:00:00Z'],
  ['tr', 'Expires on..............: 2019-Aug-22.', '2019-08-22T00:00:00Z'],
  ['tw', '   Record expires on 2020-05-23 (YYYY-MM-DD)', '2020-05-23T00:00:00Z'],
  ['mo', 'Record expires on 2021-02-05', '2021-02-05T00:00:00Z'],
  ['ua', 'expires:          2023-07-21 18:03:50+03', '2023-07-21T15:03:50Z'],
  ['rs', 'Expiration date: 28.11.2020 22:06:38', '2020-11-28T22:06:38Z'],
  ['ro', '  Expires On: 2020-01-04', '2020-01-04T00:00:00Z'],
  ['cl', 'Expiration date: 2019-11-20 14:48:02 CLST', '2019-11-20T17:48:02Z'],
  ['mx', 'Expiration Date:   2020-05-11', '2020-05-11T00:00:00Z'],
  ['ve', '   Fecha de Vencimiento: 2018-03-06 00:00:00', '2018-03-06T00:00:00Z'],
  ['br', 'expires:     20241206', '2024-12-06T00:00:00Z'],
  ['ir', 'expire-date:   2023-10-16', '2023-10-16T00:00:00Z'],
  ['kg', 'Record expires on:  Sat Mar 28 23:59:00 2026', '2026-03-28T23:59:00Z'],
  ['edu', 'Domain expires:             31-Jul-2022', '2022-07-31T00:00:00Z'],
  ['example', 'Expiration Date: 03/02/2020', null],
  ['example', 'Expires: 2030-02-31', null],
]

void t.test('every registry writes dates in its own way', async (t) => {
  for (const [tlds, line, date] of LINES) {
    for (const tld of tlds.split(' ')) t.equal(dateOf(tld, line), date, `${tld}: ${line.trim()}`)
  }
})

void t.test('moments', async (t) => {
  const read = (text: string) => parseMoment(text)?.toISOString() ?? null
  t.equal(read('2026-01-02T03:04:05.881923Z'), '2026-01-02T03:04:05.000Z')
  t.equal(read('2026-01-02T03:04:05+03:00'), '2026-01-02T00:04:05.000Z')
  t.equal(read('2026-01-02T03:04:05-0330'), '2026-01-02T06:34:05.000Z')
  t.equal(read('2026-01-02 03:04:05 UTC'), '2026-01-02T03:04:05.000Z')
  for (const nothing of [
    '',
    'N/A',
    '0000-00-00',
    '2026-13-01',
    '1970-01-01',
    '99999-01-01',
    '2026-01-01 99:00:00',
  ]) {
    t.equal(read(nothing), null, nothing)
  }
})

const THROTTLED: [tld: string, text: string, restMs: number | null][] = [
  ['org', 'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\n', null],
  ['nl', 'test.nl: only 1 request per second allowed, try again later\n', null],
  ['nl', 'Error: daily whois-limit exceeded\n', 24 * 3_600_000],
  ['de', '% Error: 55000000002 Connection refused; access control limit reached.\n', null],
  [
    'uk',
    'Error for "test.co.uk".\n\nthe WHOIS query quota for 192.0.2.1 has been exceeded\nand will be replenished in 50 seconds\n\nThis domain cannot be registered by you\n',
    50_000,
  ],
  ['pl', 'request limit exceeded\n', null],
  ['cz', '% ERROR:501: Your connection limit exceeded. Please slow down and try again later.\n', null],
  ['dk', '# Too many connections.\n', null],
  ['za', 'Please go away for 13 Seconds\n', 13_000],
  ['example', 'Query rate limit: no data found for you\n', null],
  ['example', 'Number of allowed queries exceeded. Domain not found.\n', null],
]

void t.test('who asks too often is never told that nobody has the domain', async (t) => {
  for (const [tld, text, restMs] of THROTTLED) {
    t.same(readWhois(text, formatOf(`test.${tld}`)), { kind: 'rate_limited', restMs }, text.trim())
  }
})

const NOT_FOUND = [
  'No match for "TEST.COM".\r\n>>> Last update of whois database: 2026-01-01T00:00:00Z <<<\r\n',
  'NOT FOUND\n',
  'No Data Found\n',
  'Domain not found.\n',
  'Domain: test.de\nStatus: free\n',
  '% nothing found\n',
  '%ERROR:101: no entries found\n',
  'test.nl is free\n',
  'Domain:\ttest.be\nStatus:\tAVAILABLE\n',
  'The queried object does not exist: DOMAIN NOT FOUND\n',
  'No matching record.\n',
  'The above domain name is not registered to KRNIC.\n',
  'The domain has not been registered.\n',
  'No match!!\n',
  'We do not have an entry in our database matching your query.\n',
  'No Object Found\n',
]

void t.test('what nobody has', async (t) => {
  for (const text of NOT_FOUND) {
    t.same(readWhois(text, formatOf('test.example')), { kind: 'not_registered' }, text.trim())
  }
})

void t.test('what is no answer is none', async (t) => {
  for (const text of [
    '',
    '\r\n',
    'This WHOIS server is being retired. Please use our RDAP service instead.\n',
    'Access to this service is restricted.\n',
    '<html><body>502 Bad Gateway</body></html>',
    '\0\0\0\0',
  ]) {
    t.same(readWhois(text, formatOf('test.example')), { kind: 'unclear' }, JSON.stringify(text))
  }
})

void t.test('a registration that speaks of limits in its terms of use is one', async (t) => {
  const text = `Domain Name: TEST.COM
   Registrar: Test Registrar Ltd
   Registry Expiry Date: 2030-01-02T03:04:05Z
TERMS OF USE: queries are subject to rate limits; when the limit is exceeded, try again later.`
  t.match(readWhois(text, formatOf('test.com')), {
    kind: 'registered',
    registration: { registrar: 'Test Registrar Ltd' },
  })
})

void t.test('registrar, name servers and status in the shapes of registries', async (t) => {
  const read = (domain: string, text: string) => {
    const answer = readWhois(text, formatOf(domain))
    return answer.kind === 'registered' ? answer.registration : answer.kind
  }
  t.match(
    read(
      'test.com',
      `   Domain Name: TEST.COM\r
   Registrar WHOIS Server: whois.registrar.example\r
   Registrar: Test Registrar, Inc.\r
   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited\r
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited\r
   Name Server: NS1.TEST.EXAMPLE\r
   Name Server: NS2.TEST.EXAMPLE\r
   Name Server: NS1.TEST.EXAMPLE\r
`,
    ),
    {
      registrar: 'Test Registrar, Inc.',
      nameServers: ['ns1.test.example', 'ns2.test.example'],
      status: ['clientDeleteProhibited', 'clientTransferProhibited'],
    },
  )
  t.match(
    read(
      'test.co.uk',
      `
    Domain name:
        test.co.uk

    Registrar:
        Test Registrar Ltd t/a Test [Tag = TEST]
        URL: https://registrar.example

    Relevant dates:
        Registered on: 11-Dec-2003
        Expiry date:  11-Dec-2030

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.test.example       192.0.2.1
        ns2.test.example
`,
    ),
    {
      expiresAt: new Date('2030-12-11T00:00:00Z'),
      registrar: 'Test Registrar Ltd t/a Test [Tag = TEST]',
      nameServers: ['ns1.test.example', 'ns2.test.example'],
    },
  )
  t.match(
    read(
      'test.it',
      `Domain:             test.it
Status:             ok
Expire Date:        2030-08-28

Registrar
  Organization:     Test Registrar s.r.l.
  Name:             TEST-REG

Nameservers
  ns1.test.example
  ns2.test.example
`,
    ),
    {
      registrar: 'Test Registrar s.r.l.',
      nameServers: ['ns1.test.example', 'ns2.test.example'],
      status: ['ok'],
    },
  )
  t.match(
    read(
      'test.de',
      'Domain: test.de\nNserver: ns1.test.example\nNserver: ns2.test.de 192.0.2.1\nStatus: connect\n',
    ),
    { expiresAt: null, nameServers: ['ns1.test.example', 'ns2.test.de'], status: { length: 0 } },
  )
  t.match(read('test.jp', 'p. [Name Server]   ns1.test.example\n[Expires on]  2030/05/31\n'), {
    nameServers: ['ns1.test.example'],
    expiresAt: new Date('2030-05-31T00:00:00Z'),
  })
})

void t.test('texts of a server are made fit to be shown', async (t) => {
  const answer = readWhois(
    `Registrar: ${'x'.repeat(5_000)}\u0007\u001b[31m\nName Server: <script>\n`,
    formatOf('test.com'),
  )
  t.match(answer, {
    kind: 'registered',
    registration: { registrar: 'x'.repeat(200), nameServers: { length: 0 } },
  })
})

void t.test('texts that were made to take long do not', async (t) => {
  const begun = performance.now()
  const size = 250_000
  for (const text of [
    ' '.repeat(size),
    `${' '.repeat(size)}x`,
    '\n'.repeat(size),
    ' \n'.repeat(size / 2),
    '.'.repeat(size),
    `a${'.'.repeat(size)}`,
    'a '.repeat(size / 2),
    'limit '.repeat(size / 6),
    'exceeded '.repeat(size / 9),
    'in '.repeat(size / 3),
    `Expires: 2030-01-01${' '.repeat(size)}x`,
    'Expires: 2030-01-01 (\n'.repeat(size / 22),
    'Name Server: a-a-a-a\n'.repeat(size / 21),
    '['.repeat(size),
    `a. ${' '.repeat(size)}[`,
    'status: '.repeat(size / 8),
  ]) {
    readWhois(text, formatOf('test.example'))
  }
  const took = performance.now() - begun
  t.ok(took < 5_000, `${took} ms`)
})

void t.test('words of status', async (t) => {
  t.same(
    eppStatus([
      'client transfer prohibited',
      'server delete prohibited',
      'active',
      'redemption period',
      'locked',
    ]),
    ['clientTransferProhibited', 'ok', 'redemptionPeriod', 'serverDeleteProhibited'],
  )
  t.same(eppStatus(['clienthold', 'PENDING-DELETE', 'auto renew period', 'associated']), [
    'autoRenewPeriod',
    'clientHold',
    'linked',
    'pendingDelete',
  ])
})

void t.test('referrals and questions', async (t) => {
  t.equal(
    referralIn('% IANA WHOIS server\n\nrefer:        whois.registry.example\n\ndomain: EXAMPLE\n'),
    'whois.registry.example',
  )
  t.equal(
    referralIn('domain:       EXAMPLE\nwhois:        whois.registry.example\n'),
    'whois.registry.example',
  )
  t.equal(referralIn('domain: EXAMPLE\nwhois:\n\nstatus: ACTIVE\n'), null)
  t.equal(questionFor('test.de'), '-T dn,ace test.de')
  t.equal(questionFor('test.dk'), '--show-handles test.dk')
  t.equal(questionFor('test.co.jp'), 'test.co.jp/e')
  t.equal(questionFor('test.com'), 'domain test.com')
  t.equal(questionFor('test.cat'), '-C UTF-8 test.cat')
  t.equal(questionFor('test.org'), 'test.org')
})
