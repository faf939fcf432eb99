import t from 'tap'
import { createTable, widthOf } from '../../../clients/cli/terminal/table.ts'
import { startCli } from './program.ts'

/* What is written: tables for people, the API's own objects for programs. */
const { admin, domainId, token, app, zk } = await startCli(t)
const records = `/api/domains/${domainId}/records`
const long = 'v=DKIM1; k=rsa; p='.padEnd(300, 'MIGfMA0')
await admin.post(`${records}/bulk`, {
  records: [
    { recordType: 'TXT', name: 'long', value: long },
    { recordType: 'A', name: 'wide', value: '192.0.2.4', comment: '东京\u202e' },
    ...Array.from({ length: 4 }, (_, index) => ({ recordType: 'A', name: `h${index}`, value: '192.0.2.1' })),
  ],
})
const lines = (text: string) => text.trimEnd().split('\n')

void t.test('a table fits the terminal, and is whole elsewhere', async (t) => {
  const shown = lines((await zk('records list example.com', { terminal: { columns: 60 } })).out)
  t.equal(shown[0], 'NAME  TYPE  TTL   VALUE'.padEnd((shown[0] as string).length - 7) + 'COMMENT')
  t.ok(shown.every((line) => widthOf(line) <= 60))
  t.match(
    shown.find((line) => line.startsWith('long')),
    /…$/,
  )
  const piped = (await zk('records list example.com')).out
  t.ok(piped.includes(long))
  t.notOk(/[\p{Cf}]|[^\P{Cc}\n]/u.test(piped), 'nothing in it controls the terminal')
  t.match(piped, /东京\\u202e/)
})

void t.test('wide letters keep the columns', (t) => {
  const table = createTable<string[]>(
    [
      { title: 'A', of: ([a = '']) => a },
      { title: 'B', of: ([, b = '']) => b },
    ],
    40,
  )
  t.same(
    table.lines([
      ['东京', 'x'],
      ['abcd', 'y'],
    ]),
    ['A     B', '东京  x', 'abcd  y'],
  )
  t.same(table.lines([['abcdef', 'z']]), ['abc…  z'], 'and later rows those of the first')
  t.end()
})

void t.test('--json is what the API says', async (t) => {
  const { records: all } = (
    await app.inject({ url: `/api/v1${records.slice(4)}`, headers: { authorization: `Bearer ${token}` } })
  ).json()
  t.same(JSON.parse((await zk('records list example.com --json')).out), all)
  t.same(JSON.parse((await zk('records list example.com --type CNAME --json')).out), [])
  const found = JSON.parse((await zk('search 192.0.2.1 --json')).out)
  t.match(found, [{ domainName: 'example.com', name: 'h0' }, {}, {}, {}])
})

void t.test('colours are for terminals whose users want them', async (t) => {
  const plan = ['plan', 'example.com', '--add', 'new A 192.0.2.2']
  const escape = '\u001b['
  t.ok((await zk(plan, { terminal: {} })).out.includes(escape))
  t.notOk((await zk(plan, { terminal: {}, env: { NO_COLOR: '1' } })).out.includes(escape))
  t.notOk((await zk(plan)).out.includes(escape))
})

void t.test('history and search are tables too', async (t) => {
  t.match((await zk('health example.com --check --severity info')).out, /^SEVERITY.*\ninfo +example\.com/)
  t.match((await zk('history example.com --name h0')).out, /root {2}bulk.*\+ long TXT .* and 5 more/)
  t.match((await zk('search DKIM')).out, /^DOMAIN.*\nexample\.com {2}long/)
})

void t.test('what completes', async (t) => {
  const complete = async (...words: string[]) => lines((await zk(['complete', '--', ...words])).out)
  t.match(await complete(''), ['login', 'logout', 'whoami', 'domains', 'records'])
  t.notOk((await complete('')).includes('complete'))
  t.same(await complete('records', 's'), ['set'])
  t.same(await complete('records', 'list', 'ex'), ['example.com'])
  t.same(await complete('records', 'list', '--type', 'A', 'ex'), ['example.com'])
  t.same(await complete('diff', 'zone', ''), ['example.com'])
  t.same(await complete('templates', 'apply', 'parked', 'example.org', 'ex'), ['example.com'])
  t.same(await complete('replace', '--domain', 'ex'), ['example.com'])
  t.same(await complete('diff', ''), [''], 'files are the shell’s')
  t.same(await complete('completion', ''), ['bash', 'zsh', 'fish'])
  t.same(await complete('sync', '--f'), ['--force'])
  t.same(await complete('domains', 'list', '--status', 'e'), ['expiring', 'expired'])
  const away = await zk(['complete', '--', 'sync', ''], { env: { ZONEKEEPER_URL: 'http://127.0.0.1:9' } })
  t.match(away, { exit: 0, out: '', err: '' })
})
