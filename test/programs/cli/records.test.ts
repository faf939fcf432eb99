import t from 'tap'
import { addDomain, addManual } from '../../helpers/zone.ts'
import { startCli } from './program.ts'

/* What changes records: nothing without a plan that was shown. */
const { admin, domainId, zk } = await startCli(t, { largeChange: 5 })
const records = `/api/domains/${domainId}/records`

const here = async () =>
  (await admin.get(`${records}?limit=1000`)).body.records
    .map(
      ({ name, recordType, value, ttl }: Record<string, string>) => `${name} ${recordType} ${value} ${ttl}`,
    )
    .sort()

void t.test('nothing is done unless it is wanted', async (t) => {
  const add = 'records add example.com www a 192.0.2.1'
  const alone = await zk(add)
  t.match(alone, { exit: 7, out: /1 to create.*\+ {2}www {2}A {2}3600 {2}192\.0\.2\.1/s, err: /add --yes/ })
  t.match(await zk(add, { terminal: { answers: ['n'] } }), {
    exit: 7,
    err: /Apply\? \[y\/N\].*Nothing was changed/s,
  })
  for (const key of ['\u0003', '\u0004'])
    t.match(
      await zk(add, { terminal: { answers: [key] } }),
      { exit: 7, err: /Nothing was changed\n$/ },
      'Ctrl+C and Ctrl+D',
    )
  t.match(await zk('apply example.com first'), { exit: 2, err: /id of a plan/ })
  t.match(await zk(`${add} --json`, { terminal: { answers: ['y'] } }), { exit: 7 }, '--json asks nothing')
  t.same(await here(), [])

  const planId = /apply example\.com (\S+)"/.exec(alone.err)?.[1]
  t.match(
    await zk(`apply example.com ${planId}`),
    { exit: 0, out: /Done/ },
    'what was shown is done by its id',
  )
  t.match(await zk(`apply example.com ${planId}`), { exit: 4 }, 'once')
  t.same(await here(), ['www A 192.0.2.1 3600'])
})

void t.test('records are added, set and removed', async (t) => {
  t.match(await zk('records add example.com www A 192.0.2.2', { terminal: { answers: ['y'] } }), { exit: 0 })
  t.match(await zk('records add example.com www A 192.0.2.2 -y'), { exit: 4, out: /already exists/ })
  t.match(await zk('records add example.com www A 192.0.2.256 -y'), { exit: 4, out: /192\.0\.2\.256/ })
  t.match(await zk('records set example.com www.example.com A 192.0.2.2 192.0.2.3 --ttl 300 -y'), { exit: 0 })
  t.same(await here(), ['www A 192.0.2.2 300', 'www A 192.0.2.3 300'])
  t.match(await zk('records set example.com www A 192.0.2.3 192.0.2.2 -y'), {
    exit: 0,
    err: /Nothing to change/,
  })
  t.match(await zk('records set example.com @ TXT Text -y'), { exit: 0 })
  t.match(
    await zk('records set example.com @ TXT text -y'),
    { exit: 0, out: /was Text/ },
    'case means something there',
  )
  t.match(await zk('records rm example.com www A 192.0.2.2 -y'), { exit: 0 })
  t.match(await zk('records rm example.com www AAAA -y'), { exit: 3 })
  t.match(await zk('records rm EXAMPLE.com. www -y'), { exit: 0 })
  t.same(await here(), ['@ TXT text 3600'])
  const { id } = (await admin.get(records)).body.records[0]
  t.match(await zk(`records rm ${domainId} ${id} -y`), { exit: 0 }, 'all by their ids')
  t.same(await here(), [])
})

void t.test('a plan is made of options or a file, and waits', async (t) => {
  const lines = ['plan', 'example.com', '--add', '@ MX 10 mail.example.com', '--add', 'mail A 192.0.2.25']
  const { planId } = JSON.parse((await zk([...lines, '--ttl', '600', '--json'])).out)
  t.same(await here(), [])
  t.match(await zk(`apply example.com ${planId}`), { exit: 0 })
  t.same(await here(), ['@ MX 10 mail.example.com 600', 'mail A 192.0.2.25 600'])

  const changes = JSON.stringify([{ action: 'create', recordType: 'A', name: 'json', value: '192.0.2.7' }])
  t.match(await zk('plan example.com -', { input: changes }), {
    exit: 0,
    out: /\+ {2}json.*zonekeeper apply/s,
  })
  t.match(await zk('plan example.com -', { input: '{' }), { exit: 2, err: /not valid JSON/ })
  t.match(await zk('plan example.com -', { input: 'file A 192.0.2.8' }), { exit: 0, out: /\+ {2}file/ })
  t.match(await zk('plan example.com'), { exit: 2, err: /Give a FILE/ })
  t.match(await zk(['plan', 'example.com', '--add', 'short A']), { exit: 2, err: /NAME TYPE VALUE/ })

  const late = JSON.parse((await zk(['plan', 'example.com', '--set', 'mail A 192.0.2.26', '--json'])).out)
  t.match(await zk(['plan', 'example.com', '--rm', 'mail']), { exit: 0, out: /- {2}mail/ })
  await zk('records rm example.com mail -y')
  t.match(
    await zk(`apply example.com ${late.planId}`),
    { exit: 4 },
    'what is not as it was shown is not done',
  )
})

void t.test('a zone file comes and goes, and what differs is said', async (t) => {
  const { out: file } = await zk('export example.com')
  t.match(await zk('diff - example.com', { input: file }), { exit: 0, out: '', err: '' })
  const other = `${file}\nnew 300 IN A 192.0.2.9\n@ SOA a. b. 1 2 3 4 5\n`
  t.match(await zk('diff - example.com', { input: other }), {
    exit: 6,
    out: /\+ {2}new/,
    err: /SOA left out/,
  })
  t.match(await zk('import example.com -', { input: other }), { exit: 7 })
  t.match(await zk('import example.com - --replace -y', { input: other }), { exit: 0 })
  t.match(await zk('diff - example.com', { input: other }), { exit: 0, out: '' })
  t.match(await zk('diff - example.com', { input: 'a A 1.2.3' }), { exit: 4, err: /line 1|1\.2\.3/ })
  const { out: yaml } = await zk('export example.com --format octodns')
  t.match(yaml, /^new:\n {2}ttl: 300\n {2}type: A\n {2}value: 192\.0\.2\.9$/m)
  t.match(await zk('diff - example.com --format octodns', { input: yaml }), { exit: 0, out: '' })
  const changed = yaml.replace('192.0.2.9', '192.0.2.10')
  t.match(await zk('diff - example.com --format octodns', { input: changed }), {
    exit: 6,
    out: /- {2}new .*\+ {2}new .*192\.0\.2\.10/s,
  })
  t.match(await zk('import example.com - --format octodns', { input: changed }), {
    exit: 2,
    err: /--replace/,
  })
  t.match(await zk('import example.com - --format octodns --replace -y', { input: changed }), { exit: 0 })
  t.match(await zk('import example.com - --replace -y', { input: '; cut off\n' }), {
    exit: 4,
    out: /0 to create, 0 to update, [1-9]\d* to delete/,
    err: /no records/,
  })
  t.match(await zk('diff - example.com --format octodns', { input: changed }), { exit: 0, out: '' })
  t.match(await zk('import example.com /no/such/file'), { exit: 2, err: /ENOENT/ })
})

void t.test('what is large goes on, and is followed', async (t) => {
  const input = Array.from({ length: 8 }, (_, index) => `large${index} A 192.0.2.1`).join('\n')
  const did = await zk('import example.com - -y', { input, terminal: { columns: 80 } })
  t.match(did, { exit: 0, out: /Done: 8 changes/, err: /Planning…\r.*\r/ })
  const [newest] = JSON.parse((await zk('history example.com -n 1 --json')).out)
  t.match(newest, { source: 'import', itemCount: 8 })
  t.match(await zk(`undo example.com ${newest.id}`), { exit: 7, out: /8 to delete/ })
  t.match(await zk(`undo example.com ${newest.id} -y --json`), { exit: 0, out: /"outcome": "succeeded"/ })
  t.notOk((await here()).some((line: string) => line.startsWith('large')))
})

void t.test('a sync shows what it would do', async (t) => {
  t.match(await zk('sync example.com --dry-run'), { exit: 0, out: /0 new, 0 changed, 0 deleted/ })
  t.match(await zk('sync example.com'), { exit: 0, out: /Done/ })
})

void t.test('domains are added, shown and removed', async (t) => {
  await addManual(admin, 'by hand')
  t.match(await zk('domains add büro.example --provider nobody'), { exit: 3, err: /nobody/ })
  t.match(await zk(['domains', 'add', 'büro.example', '--provider', 'by hand', '--tag', 'a', '--tag', 'b']), {
    exit: 0,
    out: /büro\.example added/,
  })
  t.match(await zk('domains show büro.example'), {
    exit: 0,
    out: /name +xn--bro-hoa\.example\n.*tags +a b\n/s,
  })
  t.match(JSON.parse((await zk('domains --search example --json')).out), [{ name: 'example.com' }, {}])
  const { id } = await addDomain(admin, await addManual(admin, 'third'), 'büro.example')
  t.match(await zk('domains rm büro.example -y'), { exit: 2, err: new RegExp(`use an id.*${id}`) })
  t.match(await zk(`domains rm ${id}`), { exit: 7, out: /removes büro\.example with 0 records/ })
  t.match(await zk(`domains rm ${id}`, { terminal: { answers: ['yes'] } }), { exit: 0 })
})
