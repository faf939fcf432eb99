import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { until } from '../helpers/until.ts'
import { callApi } from '../conformance/subjects/powerdns-subject.ts'
import { debianPrograms } from './debian-programs.ts'
import { commandsOf, runBlocks } from './guide.ts'
import { startPowerDns } from './powerdns.ts'
import { startProgram, type Program } from './processes.ts'
import { CHECKOUT, signIn, startZonekeeper } from './zonekeeper.ts'

/* docs/point-in-time.md as it stands there, with pgBackRest, a PostgreSQL of Debian's and a PowerDNS. */
t.setTimeout(240_000)
const { home, env: forPsql, run, command, psql, answers } = debianPrograms(t)
const data = path.join(home, 'data')
const [settings = '', archiving = ''] = [
  ...readFileSync(path.join(CHECKOUT, 'docs/point-in-time.md'), 'utf8').matchAll(/^```ini\n([^]*?)^```/gm),
].map(([, text = '']) => text)

const DATABASE_URL = `postgres:///zonekeeper?${new URLSearchParams({ host: home, user: 'zonekeeper' }).toString()}`
/** Where things are on this machine. */
const env = {
  ...forPsql,
  DATABASE_URL,
  PGBACKREST_CONFIG: path.join(home, 'pgbackrest.conf'),
  PGBACKREST_LOCK_PATH: path.join(home, 'lock'),
  PGBACKREST_LOG_PATH: path.join(home, 'log'),
  PGBACKREST_PG1_SOCKET_PATH: home,
}
writeFileSync(
  env.PGBACKREST_CONFIG,
  settings
    .replace('/var/lib/pgbackrest', path.join(home, 'repository'))
    .replace('/var/lib/postgresql/15/main', data),
)

/** Runs those of the blocks that are no service's, in turn. */
function runner(all: ReturnType<typeof commandsOf>) {
  const blocks = all.filter(({ tag }) => tag === '')
  return async (more: Record<string, string> = {}) => {
    const block = blocks.shift()
    if (!block) throw new Error('No further block')
    // Whoever is not root is the owner of the data already.
    const asOwner = process.getuid?.() === 0 ? [] : ['runuser() { shift 3; "$@"; }\n']
    const { code, said } = await runBlocks([asOwner.join('') + block.code], {
      url: 'http://localhost:3000',
      home,
      env: { ...env, ...more },
    })
    t.equal(code, 0, said.join('\n'))
    return said.join('\n')
  }
}

async function startPostgres(): Promise<Program> {
  const options = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', home]
  const server = await startProgram(command('postgres', '-D', data, ...options), {
    cwd: home,
    env: { ...process.env, ...env },
  })
  t.teardown(() => server.stop())
  await answers()
  await until('it takes writes', () => psql('select pg_is_in_recovery()') === 'f\n')
  return server
}

void t.test('back to the second before a mistake', async (t) => {
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  appendFileSync(path.join(data, 'postgresql.conf'), archiving)
  mkdirSync(path.join(home, 'unused'))
  const postgres = await startPostgres()
  psql('create role zonekeeper login')
  psql('create database zonekeeper owner zonekeeper')
  await runner(commandsOf('point-in-time.md', 'Set up'))()

  const dns = await startPowerDns()
  t.teardown(() => dns.close())
  const environment = {
    DATABASE_URL,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: path.join(home, 'unused'),
    OUTBOUND_ALLOW: new URL(dns.apiUrl).host,
  }
  const service = await startZonekeeper(environment)
  t.teardown(() => service.stop())
  const session = await signIn(service.url)
  const connection = await session.post('/api/provider-configs', {
    providerId: POWERDNS,
    name: 'PowerDNS',
    credentials: { apiUrl: dns.apiUrl, apiKey: dns.apiKey },
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  })
  const domain = { name: 'example.com', providerConfigId: idOf(connection), createZone: true }
  const url = `/api/domains/${idOf(await session.post('/api/domains', domain))}`
  const add = async (name: string) =>
    idOf(await session.post(`${url}/records`, { recordType: 'A', name, value: '192.0.2.1' }))
  await add('in-the-backup')
  await session.put(url, { driftPolicy: 'enforce', syncInterval: 5 })
  t.match(await runner(commandsOf('point-in-time.md', 'Back up'))(), /status: ok/)

  // pgBackRest compares whole seconds, and a backup must have ended before the moment.
  psql('select pg_sleep(2)')
  await add('in-the-archive')
  const MOMENT = psql('select now()').trim()
  await add('later')
  t.equal((await session.delete(url)).status, 204, 'the mistake')
  // The last of the archive is on its way before the server stops.
  psql('select pg_switch_wal()')
  await service.stop()
  await postgres.stop()

  const restoring = runner(commandsOf('point-in-time.md', 'Restore'))
  await restoring({ MOMENT })
  await startPostgres()
  await restoring()

  const again = await startZonekeeper(environment)
  t.teardown(() => again.stop())
  const after = await signIn(again.url)
  t.match(await after.get(url), { status: 200, body: { name: 'example.com', driftPolicy: 'alert' } })
  const names = async () =>
    ((await after.get(`${url}/records?type=A`)).body.records as { name: string }[])
      .map(({ name }) => name)
      .sort()
  t.same(await names(), ['in-the-archive', 'in-the-backup'])

  const { body: found } = await after.post(`${url}/sync?dryRun=true`)
  t.match(
    found,
    { created: 1, updated: 0, deleted: 0, difference: { created: [{ name: 'later' }] } },
    'the key decrypts, and the provider is ahead',
  )
  t.match(await after.post(`${url}/sync`), { status: 200, body: { created: 1 } })
  t.same(await names(), ['in-the-archive', 'in-the-backup', 'later'])
  const { body: zone } = await callApi(dns, 'GET', '/zones/example.com.')
  t.match(JSON.stringify(zone), /later\.example\.com\./, 'the provider was left as it was')
})
