import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { addDomain, addManual } from '../../helpers/zone.ts'
import { startCli, type Cli } from './program.ts'

/* Export of everything, and import on another installation. */
const [from, to] = await Promise.all([startCli(t), startCli(t)])

const ALL = [
  'domains:read',
  'domains:write',
  'records:read',
  'records:write',
  'providers:read',
  'assignments:read',
  'assignments:write',
]
const withToken = async ({ admin, zk }: Cli, more: object = {}) => {
  const { body } = await admin.post('/api/auth/me/tokens', { name: 'all', permissions: ALL, ...more })
  return (command: string | string[]) => zk(command, { env: { ZONEKEEPER_TOKEN: body.token } })
}
const [out, into] = [await withToken(from), await withToken(to)]

const base = mkdtempSync(path.join(tmpdir(), 'zonekeeper-all-'))
t.teardown(() => rmSync(base, { recursive: true }))
const folder = path.join(base, 'all')

// What there is: a domain that exists in both, and one that doesn't, with a user who doesn't.
const manual = (await from.admin.get('/api/provider-configs')).body.providerConfigs[0].id
const other = await addDomain(from.admin, manual, 'other.example', { groupName: 'production', tags: ['web'] })
await addDomain(from.admin, await addManual(from.admin, 'nowhere else'), 'lost.example')
for (const [id, name] of [
  [from.domainId, 'www'],
  [other.id, 'shop'],
])
  await from.admin.post(`/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
await to.admin.post(`/api/domains/${to.domainId}/records`, {
  recordType: 'A',
  name: 'own',
  value: '192.0.2.9',
})
for (const [place, names] of [
  [from, ['ada', 'bob']],
  [to, ['ada']],
] as const)
  for (const name of names) await place.addUser(name)
for (const username of ['ada', 'bob'])
  await from.admin.post('/api/assignments', {
    username,
    domainId: other.id,
    permission: 'write',
    subdomainPattern: '*.dev',
  })

void t.test('all domains are written, and an interrupted export continues', async (t) => {
  t.match(await out(`export --all ${folder}`), { exit: 0, out: /3 of 3 domains written/, err: '' })
  const files = readdirSync(path.join(folder, 'domains')).sort()
  t.equal(files.length, 6)
  t.notMatch(files, [/part$/])
  t.match(await out(`export --all ${folder}`), { exit: 2 }, 'not into a finished one')
  const runFile = path.join(folder, 'export.json')
  writeFileSync(runFile, JSON.stringify({ ...JSON.parse(readFileSync(runFile, 'utf8')), finishedAt: null }))
  t.match(await into(`import --all ${folder}`), { exit: 2 }, 'nor from an unfinished one')
  rmSync(path.join(folder, 'domains', files.find((name) => /^other.*json$/.test(name)) as string))
  t.match(await out(`export --all ${folder}`), { exit: 0, out: /1 of 3 domains written/ })
  t.match(await out('export'), { exit: 2 })
  t.match(await out(`export example.com --all ${folder}`), { exit: 2 })
})

void t.test('a token that sees a part says so', async (t) => {
  const narrow = await withToken(from, { restrictions: { namePatterns: ['shop'] } })
  const part = path.join(base, 'part')
  t.match(await narrow(`export --all ${part}`), { exit: 0, out: /3 of them only in part/ })
  const text = readdirSync(path.join(part, 'domains')).map((name) =>
    readFileSync(path.join(part, 'domains', name), 'utf8'),
  )
  t.match(text.join('\n'), /192\.0\.2\.1/)
  t.notMatch(text.join('\n'), /^www/m)
  const [first] = JSON.parse((await into(`import --all ${part} --replace --output json`)).out)
  t.match(first, { domain: 'example.com', action: 'none', deletes: 0 }, 'what it did not see is not deleted')
})

void t.test('import plans, asks, and says what can not be carried', async (t) => {
  const planned = await into(`import --all ${folder} --output json`)
  t.equal(planned.exit, 7)
  t.match(JSON.parse(planned.out), [
    { domain: 'example.com', action: 'update', creates: 1, updates: 0, deletes: 0 },
    { domain: 'lost.example', action: 'refused', detail: /nowhere else/ },
    { domain: 'other.example', action: 'add', assignments: 2 },
  ])
  t.equal((await to.admin.get('/api/domains')).body.total, 1, 'nothing is done')

  const done = await into(`import --all ${folder} --yes`)
  t.match(done, { exit: 4, out: /example\.com imported\n[^]*other\.example imported/, err: /bob/ })
  const { domains } = (await to.admin.get('/api/domains')).body
  const added = domains.find(({ name }: { name: string }) => name === 'other.example')
  t.match(added, { groupName: 'production', tags: ['web'] })
  const { records } = (await to.admin.get(`/api/domains/${added.id}/records?search=shop`)).body
  t.match(records, [{ name: 'shop', value: '192.0.2.1', ttl: 300 }])
  const { assignments } = (await to.admin.get(`/api/assignments?domainId=${added.id}`)).body
  t.match(assignments, [{ username: 'ada', subdomainPattern: '*.dev', permission: 'write' }])
  t.equal(assignments.length, 1)
  const own = (await to.admin.get(`/api/domains/${to.domainId}/records?search=own`)).body.records
  t.equal(own.length, 1, 'nothing is deleted')
})

void t.test('a repeat does the rest, and --replace deletes what is not in the files', async (t) => {
  const again = JSON.parse((await into(`import --all ${folder} --replace --output json`)).out)
  t.match(again[0], { domain: 'example.com', action: 'update', creates: 0, deletes: 1 })
  const elsewhere = ['import', '--all', folder, '--replace', '--connection', 'nowhere else=manual', '--yes']
  await into(elsewhere)
  const own = (await to.admin.get(`/api/domains/${to.domainId}/records?search=own`)).body.records
  t.equal(own.length, 0)
  t.equal((await to.admin.get('/api/domains')).body.total, 3)
  const last = JSON.parse((await into(`import --all ${folder} --output json`)).out)
  t.match(last, [{ action: 'none' }, { action: 'none' }, { domain: 'other.example', assignments: 1 }])
})
