import t from 'tap'
import { readOctodns } from '../../../clients/cli/octodns/reader.ts'
import { writeOctodns } from '../../../clients/cli/octodns/writer.ts'
import { startCli } from './program.ts'

/* octoDNS YAML, which the command line converts to zone files and back. */
const read = (text: string) => readOctodns(text, 'example.com')

void t.test('faults are reported with their line', async (t) => {
  for (const [text, ...expected] of [
    ['a: &x {type: A, value: 192.0.2.1}\nb: *x', [2, /aliases/]],
    ['a: &x {type: A, value: 192.0.2.1}\nb: [*x]', [2, /aliases/]],
    ["a: {type: TXT, value: 'x\\99'}", [1, /backslash/]],
    ['a: {type: MX, value: {weight: 1}}', [1, /MX has no field weight/]],
    ['a: {type: MX, value: {preference: 1}}', [1, /MX needs exchange/]],
    ['a: {type: A, value: 192.0.2.1, octodns: {cloudflare: {proxied: maybe}}}', [1, /true or false/]],
    ['a: {type: A, value: 192.0.2.1, octodns: {ignored: true}}', [1, /octodns\.ignored is not supported/]],
    ['a: {type: A, value: 192.0.2.1, octodns: x}', [1, /octodns must be an object/]],
    ['a: {type: CNAME, value: b}', [1, /full name/]],
    ['- a', [1, /map of names/]],
    ["'@': {type: A, value: 192.0.2.1}", [1, /'' is the apex/]],
    ['a: {type: A, value: 192.0.2.1}\na: {type: A, value: 192.0.2.2}', [2, /occurs twice/]],
    ['a: {type: A}', [1, /A has no value/]],
    ['a: {type: A, value: 192.0.2.1, geo: x}', [1, /"geo" is not supported/]],
    ['a: x', [1, /must be a record/]],
    ['a: {type: A, value: 192.0.2.1, ttl: 1h}', [1, /number of seconds/]],
    ['a: {type: A, value: {x: y}}', [1, /must be a text/]],
    [
      'a: {type: HTTPS, value: {svcpriority: 1, targetname: ., svcparams: {port: {a: b}}}}',
      [1, /port must be/],
    ],
    ['a: {type: A, values: [[x]]}', [1, /text or an object/]],
    ["a: {type: MX, value: {preference: 1, exchange: 'a b.'}}", [1, /exchange must be one word/]],
    ['a: {type: WHAT, value: x}', [1, /"WHAT" is not a record type/]],
    ['a: {value: x}', [1, /has no type/]],
    ['a: {type: A, value: 192.0.2.999}', [1, /192\.0\.2\.999/]],
    ['\na: !include other.yaml\n', [2, /tag/]],
    ['a: {type: A, value: 192.0.2.1}\n---\nb: {type: A, value: 192.0.2.2}\n', [2, /one document/]],
    ['a: {type: A, value: 192.0.2.1\n', [2, /./]],
    [
      'a: [\n  {type: A, value: 192.0.2.1},\n  {type: B, value: x}]\nc: x\n',
      [3, /"B"/],
      [4, /must be a record/],
    ],
  ] as [string, ...[number, RegExp][]][])
    t.match(
      read(text).errors,
      expected.map(([line, message]) => ({ line, message })),
      text,
    )
})

void t.test('records that are not managed are left out', async (t) => {
  const { errors, skipped, zonefile } = read(
    "a: {type: SPF, value: x}\nb: {type: HIP, value: 1 x.}\n'': {type: SOA, value: x}\n",
  )
  t.same(errors, [])
  t.match(skipped, [
    { line: 1, name: 'a', type: 'SPF' },
    { line: 2, name: 'b', type: 'HIP' },
    { line: 3, name: '@', type: 'SOA' },
  ])
  t.equal(zonefile, '$ORIGIN example.com.\n')
  for (const empty of ['', '---\n', '{}\n', '# nothing\n'])
    t.same(read(empty), { zonefile, skipped: [], errors: [] }, JSON.stringify(empty))
})

void t.test('TTL and proxying go along', async (t) => {
  const yaml = `# Zone example.com, in the form of octoDNS
---
"":
  octodns:
    cloudflare:
      auto-ttl: true
  type: A
  value: 192.0.2.1
a2:
  octodns:
    cloudflare:
      proxied: true
  ttl: 300
  type: A
  values:
    - 192.0.2.1
    - 192.0.2.2
a10:
  type: MX
  value:
    exchange: mail.example.com.
    preference: 10
`
  const { zonefile, errors } = read(yaml)
  t.same(errors, [])
  t.equal(
    zonefile,
    `$ORIGIN example.com.
@\t\tIN\tA\t192.0.2.1\t; cf_tags=cf-proxied:false
a2\t300\tIN\tA\t192.0.2.1\t; cf_tags=cf-proxied:true
a2\t300\tIN\tA\t192.0.2.2\t; cf_tags=cf-proxied:true
a10\t3600\tIN\tMX\t10 mail.example.com.\t; cf_tags=cf-proxied:false
`,
  )
  t.equal(writeOctodns(zonefile, 'example.com'), yaml)
})

void t.test('import and export by the extension of the file, or --format', async (t) => {
  const { admin, domainId, zk } = await startCli(t)
  await admin.post(`/api/domains/${domainId}/records`, {
    recordType: 'A',
    name: 'off',
    value: '192.0.2.1',
    enabled: false,
  })
  const octodns = (command: string, input?: string) =>
    zk(`${command} --format octodns`, input === undefined ? {} : { input })
  const yaml = 'new: {ttl: 300, type: A, value: 192.0.2.9}\nold: {type: SPF, value: x}\n'
  t.match(await octodns('import example.com - --replace -y', yaml), {
    exit: 0,
    err: /line 2: old SPF left out/,
  })
  const { out } = await octodns('export example.com')
  t.match(out, /^# Left out, as they are disabled: 1 records\n# off\t/m)
  t.match(out, /^new:\n {2}ttl: 300\n {2}type: A\n {2}value: 192\.0\.2\.9$/m)
  t.match(await octodns('diff - example.com', out), { exit: 0, out: '' })
  t.match(await octodns('diff - example.com', 'a: {type: A, value: 192.0.2.999}'), {
    exit: 4,
    err: /line 1: "a": A: .*192\.0\.2\.999/,
  })
  t.match(await octodns('import example.com - --replace -y', '{}\n'), { exit: 4, err: /no records/ })
})
