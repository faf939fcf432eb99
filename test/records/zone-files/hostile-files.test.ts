import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

/* A file that takes long to read, of which anybody who may write records can send some, keeps nobody else waiting. */

const { admin, url } = await startZone(t)
const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const load = (zonefile: string) => admin.post(`${url}/import`, { zonefile, dryRun: true })

const MEGABYTES = 2_000_000

void t.test('excessive lines of a zone file are refused with their number', async (t) => {
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

void t.test('parsing SVCB parameters takes linear time', async (t) => {
  const keys = Array.from({ length: 9_000 }, (_, index) => `key${index + 1_000}=x`)
  const { status } = await load(`www SVCB 1 . ${keys.join(' ')}\n`)
  t.not(status, 500)
  t.equal((await load(`www SVCB 1 . ${[...keys, keys[0]].join(' ')}\n`)).status, 400)
})
