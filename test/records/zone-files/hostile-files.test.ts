import t from 'tap'
import { call } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

/* A file that takes long to read, of which anybody who may write records can send some, keeps nobody else waiting. */

const { app, admin, url } = await startZone(t)
const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const load = (zonefile: string) => admin.post(`${url}/import`, { zonefile, dryRun: true })
const loadYaml = (text: string) =>
  admin.put(url.replace(/records$/, 'zone'), text, { headers: { 'content-type': 'application/yaml' } })

const MEGABYTES = 2_000_000
const PART = 200_000

void t.test('YAML is read beside the work for others', async (t) => {
  const files = {
    commas: `www: [${repeated(',', PART)}]`,
    sequences: `www: ${repeated('[', PART)}`,
    mappings: `www: ${repeated('{a: ', PART)}`,
    dashes: `www:\n${repeated('- ', PART)}`,
    questions: repeated('? ', PART),
    anchors: `www: ${repeated('&a ', PART)}`,
    tags: `www: ${repeated('!a ', PART)}`,
    quotes: repeated('"', PART),
    aliases: `a: &a x\nb: [${repeated('*a, ', PART)}]`,
  }
  for (const [name, text] of Object.entries(files)) {
    let isRead = false
    const reading = loadYaml(text).finally(() => (isRead = true))
    // By the real calls of others: had it begun on the event loop, none would come back before it ends.
    let answered = 0
    while (!isRead && answered < 5) {
      t.equal((await call(app, { url: '/healthz' })).status, 200)
      answered++
    }
    const { status, body } = await reading
    t.equal(status, 400, name)
    t.match(body.errors, [{ code: 'line' }], name)
  }
})

void t.test('of YAML that is malformed not everything is told', async (t) => {
  const { body } = await loadYaml(`www: [${repeated(',', 20_000)}]`)
  t.ok(body.errors.length <= 20)
})

void t.test('lines of a zone file that no record needs are refused, by their number', async (t) => {
  const rest = repeated('a', MEGABYTES)
  for (const text of [
    `www TXT ${rest}`,
    `www TXT "${rest}"`,
    `www TXT ${repeated('\\000', MEGABYTES)}`,
    `www SVCB 1 . alpn=${repeated('h2,', MEGABYTES)}`,
    `www A 192.0.2.1 ;${rest}`,
    `(${repeated(' ', MEGABYTES)}`,
    `$TTL ${repeated('1', MEGABYTES)}`,
  ])
    t.match(await load(`a A 192.0.2.1\n${text}\n`), {
      status: 400,
      body: { errors: [{ path: '/zonefile', code: 'line', params: { line: 2, rule: 'line_long' } }] },
    })
  t.match(await load(`${repeated('\n', MEGABYTES)}a A 192.0.2.1\n`), { status: 200 })
})

void t.test('parameters of SVCB take time by their number', async (t) => {
  const keys = Array.from({ length: 9_000 }, (_, index) => `key${index + 1_000}=x`)
  const { status } = await load(`www SVCB 1 . ${keys.join(' ')}\n`)
  t.not(status, 500)
  t.equal((await load(`www SVCB 1 . ${[...keys, keys[0]].join(' ')}\n`)).status, 400)
})
