import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, POWERDNS, idOf } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'

/* Three instances write to one PowerDNS on SQLite, which fails one of two writes at the same time. */
t.setTimeout(180_000)
const RECORDS = 60
const AT_ONCE = 4

const powerdns = await startPowerDns()
t.teardown(() => powerdns.close())
const first = await startApp(t, { alone: false })
const others = [1, 2].map(() => startApp(t, { alone: false, database: first.database }))
const instances = [first, ...(await Promise.all(others))]
const credentials = { apiUrl: powerdns.apiUrl, apiKey: powerdns.apiKey }
const config = { providerId: POWERDNS, name: 'PowerDNS', credentials, nameServers: ['ns1.example.net'] }
const configId = idOf(await first.admin.post('/api/provider-configs', config))
const { id } = await addDomain(first.admin, configId, 'turns.test', { createZone: true })
const url = `/api/domains/${id}/records`

const write = (instance: number, name: string) =>
  (instances[instance] as typeof first).admin.post(url, { recordType: 'A', name, value: '192.0.2.1' })

/** Another program writes to the database of PowerDNS for so long. Resolves when it has begun. */
async function lockDatabase(ms: number): Promise<{ over: Promise<unknown> }> {
  const shell = spawn('sqlite3', [join(powerdns.directory, 'pdns.sqlite')], { stdio: 'pipe' })
  shell.stdin.write(".timeout 10000\nbegin exclusive;\nselect 'begun';\n")
  await once(shell.stdout, 'data')
  const over = sleep(ms).then(() => {
    shell.stdin.end('rollback;\n')
    return once(shell, 'exit')
  })
  return { over }
}

void t.test('93. no write is lost to another at the same time', async (t) => {
  const statuses: number[] = []
  const writer = async (instance: number, lane: number) => {
    for (let i = lane; i < RECORDS; i += AT_ONCE)
      statuses.push((await write(instance, `n${instance}-${i}`)).status)
  }
  const lanes = Array.from({ length: AT_ONCE }, (_, lane) => lane)
  await Promise.all(instances.flatMap((_, instance) => lanes.map((lane) => writer(instance, lane))))
  t.equal(statuses.length, RECORDS * instances.length)
  t.same(
    statuses.filter((status) => status !== 201),
    [],
  )
})

void t.test('93. what is locked for 3 s is written after that', async (t) => {
  const { over } = await lockDatabase(3_000)
  const answers = await Promise.all(instances.map((_, instance) => write(instance, `short${instance}`)))
  await over
  t.same(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  t.same(await powerdns.dig('short2.turns.test', 'A'), ['192.0.2.1'])
})

void t.test('93. what is locked for longer than a request may take is refused, for certain', async (t) => {
  const { over } = await lockDatabase(16_000)
  const answers = await Promise.all(instances.map((_, instance) => write(instance, `long${instance}`)))
  for (const answer of answers)
    t.match(answer, { status: 503, headers: { 'retry-after': '5' }, body: { code: 'unavailable' } })
  await over
  t.match(
    (await first.admin.get(`${url}?search=long`)).body,
    { records: { length: 0 }, total: 0 },
    'nothing is pending',
  )
  t.same(await powerdns.dig('long0.turns.test', 'A'), [])
  t.match(await write(0, 'long0'), { status: 201 })
})
