import t from 'tap'
import { checkValue } from '../../../dns/types/index.ts'
import { formatZoneFile } from '../../../modules/records/zone-files/zonefile-writer.ts'
import { parseZoneFile, type ZoneFileRecord } from '../../../modules/records/zone-files/zonefile.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { generateValues } from '../../dns/generate.ts'

const zone = 'example.com'

/** The records as short lines, `<line> <name> <ttl> <type> <value>`, and the gist of the rest. */
async function read(text: string): Promise<{ records: string[]; errors: string[]; skipped: string[] }> {
  const { records, errors, skipped } = await parseZoneFile(text, zone)
  return {
    records: records.map((r) => [r.line, r.name, r.ttl ?? '-', r.recordType, r.value].join(' ')),
    errors: errors.map((error) => `${error.line} ${error.message}`),
    skipped: skipped.map((record) => `${record.line} ${record.name} ${record.type}`),
  }
}

/** What the text gives when nothing in it is wrong or skipped. */
async function records(
  t: { strictSame: (a: unknown, b: unknown) => boolean },
  text: string,
): Promise<string[]> {
  const result = await read(text)
  t.strictSame([result.errors, result.skipped], [[], []])
  return result.records
}

void t.test('a typical zone file', async (t) => {
  const text = `; example.com\r
$ORIGIN example.com.\r
$TTL 1h\r
@\tIN\tSOA\tns1.example.net. hostmaster.example.com. (\r
\t\t2024010101 ; serial\r
\t\t3h 1h 4w 1h )\r
\tIN\tNS\tns1.example.net.\r
\tIN\tMX\t10 mail\r
@\tIN\tTXT\t( "v=spf1 mx; "  ; the first half\r
\t\t"-all" )\r
mail\t300\tIN\tA\t192.0.2.1\r
\tAAAA\t2001:DB8:0::1\r
www\tIN 5m CNAME\t@\r
*.dev\tCNAME\twww.example.com.\r
_sip._tcp SRV 1 2 5060 sip.example.net.\r
@ CAA 0 issue "letsencrypt.org; validationmethods=dns-01"\r
1 HIP 1 host.example.net.`
  const result = await read(text)
  t.strictSame(result, {
    records: [
      '7 @ 3600 NS ns1.example.net',
      '8 @ 3600 MX 10 mail.example.com',
      '9 @ 3600 TXT "v=spf1 mx; " "-all"',
      '11 mail 300 A 192.0.2.1',
      '12 mail 3600 AAAA 2001:db8::1',
      '13 www 300 CNAME example.com',
      '14 *.dev 3600 CNAME www.example.com',
      '15 _sip._tcp 3600 SRV 1 2 5060 sip.example.net',
      '16 @ 3600 CAA 0 issue "letsencrypt.org; validationmethods=dns-01"',
    ],
    errors: [],
    skipped: ['4 @ SOA', '17 1 HIP'],
  })
})

void t.test('priority is given for MX and SRV', async (t) => {
  const { records } = await parseZoneFile('@ MX 10 mail\n@ SRV 5 0 443 www\n@ A 192.0.2.1', zone)
  t.strictSame(
    records.map((record) => record.priority),
    [10, 5, null],
  )
})

void t.test('TTL', async (t) => {
  void t.test('and class come in either order, or not at all', async (t) => {
    const text = 'a 60 IN A 192.0.2.1\na IN 60 A 192.0.2.2\na 60 A 192.0.2.3\na in A 192.0.2.4\na A 192.0.2.5'
    t.strictSame(
      (await records(t, text)).map((line) => line.slice(0, 6)),
      ['1 a 60', '2 a 60', '3 a 60', '4 a 60', '5 a 60'],
    )
  })
  void t.test('has units', async (t) => {
    const ttls = ['90', '1h30m', '1H30M', '1w2d3h4m5s', '0', '2147483647']
    const found = (await parseZoneFile(ttls.map((ttl) => `a ${ttl} A 192.0.2.1\n`).join(''), zone)).records
    t.strictSame(
      found.map((record) => record.ttl),
      [90, 5400, 5400, 788645, 0, 2147483647],
    )
    t.match((await read('a 2147483648 A 192.0.2.1')).errors, [/1 TTL "2147483648" is too large/])
    t.match((await read('a 1h30 A 192.0.2.1')).errors, [/"1H30" is not a record type/])
    t.match((await read('$TTL soon')).errors, [/"soon" is not a TTL/])
  })
  void t.test('comes from $TTL, from there on', async (t) => {
    const text = '$TTL 60\na A 192.0.2.1\na 5 A 192.0.2.2\na A 192.0.2.3\n$TTL 70\na A 192.0.2.4'
    t.strictSame(
      (await records(t, text)).map((line) => line.split(' ')[2]),
      ['60', '5', '60', '70'],
    )
  })
  void t.test('without $TTL is the last one, or the minimum of the SOA, or unknown', async (t) => {
    t.strictSame(await records(t, 'a A 192.0.2.1\nb 5 A 192.0.2.1\nc A 192.0.2.1'), [
      '1 a - A 192.0.2.1',
      '2 b 5 A 192.0.2.1',
      '3 c 5 A 192.0.2.1',
    ])
    t.strictSame((await read('@ SOA ns. host. 1 2 3 4 300\na A 192.0.2.1')).records, ['2 a 300 A 192.0.2.1'])
    t.strictSame((await read('@ 60 SOA ns. host. 1 2 3 4 300\na A 192.0.2.1')).records, [
      '2 a 60 A 192.0.2.1',
    ])
  })
})

void t.test('names', async (t) => {
  void t.test('are relative to the current origin', async (t) => {
    const text = `a CNAME b
$ORIGIN sub
a CNAME b
@ MX 10 mail
$ORIGIN deep.sub.example.com.
a CNAME b.
* CNAME x.y.
$ORIGIN .
example.com A 192.0.2.1
a.example.com CNAME b.example.net`
    t.strictSame(
      (await records(t, text.replace('CNAME b.\n', 'CNAME b.example.net.\n'))).map((line) =>
        line.replace(/ - /, ' '),
      ),
      [
        '1 a CNAME b.example.com',
        '3 a.sub CNAME b.sub.example.com',
        '4 sub MX 10 mail.sub.example.com',
        '6 a.deep.sub CNAME b.example.net',
        '7 *.deep.sub CNAME x.y',
        '9 @ A 192.0.2.1',
        '10 a CNAME b.example.net',
      ],
    )
  })
  void t.test('may be Unicode, or have escapes', async (t) => {
    t.strictSame(await records(t, 'bücher A 192.0.2.1\n\\119ww A 192.0.2.1\n\\* A 192.0.2.1'), [
      '1 xn--bcher-kva - A 192.0.2.1',
      '2 www - A 192.0.2.1',
      '3 * - A 192.0.2.1',
    ])
  })
  void t.test('of the previous line are repeated on a line that begins with white space', async (t) => {
    const text = 'a A 192.0.2.1\n\n ; nothing\n\tA 192.0.2.2\n    HIP 1 x.\n A 192.0.2.3'
    t.strictSame((await read(text)).records, ['1 a - A 192.0.2.1', '4 a - A 192.0.2.2', '6 a - A 192.0.2.3'])
    t.strictSame((await read(text)).skipped, ['5 a HIP'])
    t.match((await read('  A 192.0.2.1')).errors, [
      /1 The line begins with a space, but no previous line has a name/,
    ])
  })
  void t.test('outside the zone or not valid are errors', async (t) => {
    const cases: [string, RegExp][] = [
      ['www.example.net. A 192.0.2.1', /"www\.example\.net\." is outside example\.com/],
      ['www.example.com.example.net. A 192.0.2.1', /outside/],
      ['a b\\ c A 192.0.2.1', /is not a record type/],
      ['a..b A 192.0.2.1', /a label is empty/],
      ['$ORIGIN example.net.\nwww A 192.0.2.1', /"www\.example\.net\." is outside/],
      ['$ORIGIN a..b', /"a\.\.b" is not a name/],
    ]
    for (const [text, reason] of cases) t.match((await read(text)).errors, [reason], text)
  })
})

void t.test('data', async (t) => {
  void t.test('has quoted strings, escapes and comments', async (t) => {
    const text = `a TXT "semi;colon" ; a comment with "quotes
a TXT semi\\;colon
a TXT "say \\"hi\\" \\\\ \\065"
a TXT "(" ")" ; and ( here
a TXT one two "three"
a TXT "raw é"
a TXT "\\195\\169"
a TXT "\\"quoted\\""
a TXT (
 "a" ; first
 "b"
)`
    t.strictSame(
      (await records(t, text)).map((line) => line.replace(/^.*TXT /, '')),
      [
        'semi;colon',
        'semi;colon',
        'say "hi" \\ A',
        '"(" ")"',
        '"one" "two" "three"',
        'raw é',
        'é',
        '"\\"quoted\\""',
        '"a" "b"',
      ],
    )
  })
  void t.test('that cannot be parsed is an error with its line, and others are read', async (t) => {
    const text = `a A 192.0.2.256
b A 192.0.2.1
c MX mail
d SRV 1 2 65536 sip
h TXT "broken \\1"
i A
j A \\# 4 c0000201
k CNAME two names
l AAAA 192.0.2.1`
    const result = await read(text)
    t.strictSame(result.records, ['2 b - A 192.0.2.1', '7 j - A 192.0.2.1'])
    t.match(result.errors, [
      /^1 .*four numbers 0-255/,
      /^3 The priority is missing/,
      /^4 .*port of an SRV/,
      /^5 .*cannot be read/,
      /^6 .*not an IPv4 address/,
      /^8 .*is not a letter/,
      /^9 .*use type A/,
    ])
  })
  void t.test('is read even if it would be refused from a user', async (t) => {
    const text = `a.* A 192.0.2.1
-x NS .
0/25 NS localhost.
semi\\;x.y\\.z CNAME quo\\"te
d SRV 1 2 0 sip
e CAA 0 isue "ca.example"
f CNAME 192.0.2.1.
g TXT "${'x'.repeat(255)}" "${'x'.repeat(255)}" ""
h 0 MX 10 localhost.`
    t.strictSame(await records(t, text), [
      '1 a.* - A 192.0.2.1',
      '2 -x - NS .',
      '3 0/25 - NS localhost',
      '4 semi\\;x.y\\.z - CNAME quo\\"te.example.com',
      '5 d - SRV 1 2 0 sip.example.com',
      '6 e - CAA 0 isue "ca.example"',
      '7 f - CNAME 192.0.2.1',
      `8 g - TXT "${'x'.repeat(255)}" "${'x'.repeat(255)}" ""`,
      '9 h 0 MX 10 localhost',
    ])
  })
})

void t.test('types and classes', async (t) => {
  const result = await read(
    'a HIP 2 00 AA==\nb TYPE65280 \\# 0\nc AA 192.0.2.1\nd CH A 192.0.2.1\ne\nf 60 IN\ng tXt t\nh CLASS1 TYPE1 \\# 4 0A000001\ni class3 A 192.0.2.1',
  )
  t.strictSame(result.skipped, ['1 a HIP'])
  t.strictSame(result.records, ['2 b - TYPE65280 \\# 0', '7 g - TXT t', '8 h - A 10.0.0.1'])
  t.match(result.errors, [
    /^3 "AA" is not a record type/,
    /^4 Class CH is not supported, only IN/,
    /^5 The record has no type/,
    /^6 The record has no type/,
    /^9 Class CLASS3 is not supported, only IN/,
  ])
  const [soa, ptr] = (await parseZoneFile('@ SOA a. b. 1 2 3 4 5\n1 HIP 1 a.', zone)).skipped
  t.match(soa?.reason, /provider's own/)
  t.match(ptr?.reason, /HIP is not managed here/)
})

void t.test('directives', async (t) => {
  const cases: [string, RegExp][] = [
    ['$INCLUDE /etc/passwd', /\$INCLUDE is not supported/],
    ['$include other.zone', /\$INCLUDE is not supported/],
    ['$GENERATE 1-100000 host-$ A 192.0.2.$', /\$GENERATE is not supported/],
    ['$ORIGN example.com.', /"\$ORIGN" is not a directive/],
    ['$ORIGIN', /takes one argument/],
    ['$TTL 1 2', /takes one argument/],
  ]
  for (const [text, reason] of cases) t.match((await read(`${text}\na A 192.0.2.1`)).errors, [reason], text)
})

void t.test('broken syntax is an error with its line, and the rest is read', async (t) => {
  const cases: [string, RegExp][] = [
    ['x TXT "open', /^1 A quote is not closed/],
    ['x TXT "open\\', /^1 A quote is not closed/],
    ['x A 192.0.2.9 )', /^1 A "\)" has no matching "\("/],
    ['x TXT ( "a"\n"open )', /^2 A quote is not closed/],
  ]
  for (const [text, reason] of cases) {
    const result = await read(`${text}\na A 192.0.2.1`)
    t.match(result.errors, [reason], text)
    t.match(result.records, [/ a - A 192\.0\.2\.1/])
  }
  t.match((await read('a TXT ( "x"\nb A 192.0.2.1')).errors, [/^1 A "\(" is not closed/])
  t.strictSame(await read(''), { records: [], errors: [], skipped: [] })
  t.strictSame(await read('\ufeff; only a comment'), { records: [], errors: [], skipped: [] })
})

void t.test('limits', async (t) => {
  const lines = (count: number, line: string) => `${line}\n`.repeat(count)
  t.equal((await parseZoneFile(lines(20_000, 'a A 192.0.2.1'), zone)).errors.length, 0)
  t.match((await parseZoneFile(lines(30_000, 'a A 192.0.2.1'), zone)).errors, [
    { line: 20_001, message: /More than 20000 records/ },
  ])
  t.match((await parseZoneFile(lines(5_000, 'a B'), zone)).errors.at(-1), {
    line: 1001,
    message: /More than 1000 errors/,
  })
  t.match((await parseZoneFile(lines(200_000, 'a HIP 1 b'), zone)).errors, [
    { message: /More than 100000 records of other/ },
  ])
})

void t.test('a malicious file takes linear time', async (t) => {
  const bytes = 10_000_000
  const fill = (text: string) => text.repeat(Math.ceil(bytes / text.length))
  const files: Record<string, string> = {
    'open quotes with escaped line ends': fill('"\\\n'),
    'open parentheses': fill('(\n'),
    'one open parenthesis': `a TXT (${fill('a ')}`,
    'growing origin': fill('$ORIGIN a\n'),
    'long origin': `$ORIGIN ${fill('a.')}`,
    'long owner': `${fill('*.')} A 192.0.2.1`,
    'long target': `a CNAME ${fill('\\.')}`,
    'long TTL': `a ${fill('1h')}`,
    'long text': `a TXT "${fill('\\1')}"`,
    backslashes: fill('\\'),
    'white space': fill(' '),
    'empty lines': fill('\n'),
    errors: fill('a A x\n'),
  }
  const start = performance.now()
  for (const [name, text] of Object.entries(files)) {
    const { errors } = await parseZoneFile(text, zone)
    t.ok(errors.length < 1100 && errors.every((error) => error.message.length < 300), name)
  }
  // Quadratic time would take hours; together they take 2 seconds on a slow machine.
  t.ok(performance.now() - start < 30_000)
})

void t.test('formatZoneFile', async (t) => {
  const record = (name: string, recordType: RecordType, value: string) => ({
    name,
    recordType,
    value,
    ttl: 300,
  })
  const text = formatZoneFile({
    zone,
    defaultTtl: 3600,
    generatedAt: new Date('2026-01-02T03:04:05Z'),
    records: [
      record('b', 'A', '192.0.2.2'),
      record('x.a', 'A', '192.0.2.1'),
      record('*', 'CNAME', 'www.example.net'),
      record('a', 'TXT', 'v=spf1; "é"'),
      record('@', 'MX', '10 mail.example.com'),
      record('@', 'A', '192.0.2.9'),
    ],
  })
  t.equal(
    text,
    `; Zone example.com, 6 records, exported 2026-01-02T03:04:05.000Z
; There is no SOA: it is the DNS provider's own. A name server that loads this file needs one.
$ORIGIN example.com.
$TTL 3600
@\t300\tIN\tA\t192.0.2.9
@\t300\tIN\tMX\t10 mail.example.com.
*\t300\tIN\tCNAME\twww.example.net.
a\t300\tIN\tTXT\t"v=spf1; \\"\\195\\169\\""
x.a\t300\tIN\tA\t192.0.2.1
b\t300\tIN\tA\t192.0.2.2
`,
  )
  t.equal(
    formatZoneFile({ zone, defaultTtl: 60, records: [] }).split('\n')[0],
    '; Zone example.com, 0 records',
    'also an empty zone, at no time',
  )
})

void t.test('parsing what was formatted gives the same records', async (t) => {
  const input: Row[] = []
  const names = ['@', 'www', '*', '*.dev', '_dmarc', 'in', '300', 'a', 'txt', 'xn--bcher-kva', 'a.b.c']
  for (const { type, value } of generateValues(4000, 4)) {
    const check = checkValue(type, value)
    if (!check.ok) continue
    const name = names[input.length % names.length] ?? ''
    input.push({ name, recordType: type, value: check.value, ttl: input.length, priority: check.priority })
  }
  const { records, errors, skipped } = await parseZoneFile(
    formatZoneFile({ zone, defaultTtl: 1, records: input }),
    zone,
  )
  t.strictSame([errors, skipped], [[], []])
  // The TTL tells each record.
  const sorted = records.map((record) => ({ ...record, ttl: record.ttl ?? -1 })).sort((a, b) => a.ttl - b.ttl)
  t.equal(JSON.stringify(sorted.map(inOrder)), JSON.stringify(input.map(inOrder)))
  t.ok(input.length > 3500, `${input.length} records`)
})

type Row = Omit<ZoneFileRecord, 'line' | 'ttl'> & { ttl: number }

const inOrder = (r: Row) => [r.name, r.recordType, r.value, r.ttl, r.priority]
