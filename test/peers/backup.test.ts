import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { idOf, MANUAL, POWERDNS } from '../helpers/zone.ts'
import { until } from '../helpers/until.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { commandsOf, runBlocks } from './guide.ts'
import { signIn, startZonekeeper } from './zonekeeper.ts'

/* The commands of the section "Backup" of docs/operations.md, as they stand there. */
t.setTimeout(180_000)
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-backup-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))
const [pack, unpack, dump, restore, composeDump, composeRestore] = commandsOf('operations.md', 'Backup').map(
  ({ code }) => code,
)

/** Runs a block; what stands for the machine is said by `env`. */
async function run(t: Test, block: string | undefined, env: Record<string, string>) {
  const { code, said } = await runBlocks([block ?? 'false'], { url: 'http://localhost:3000', home, env })
  t.equal(code, 0, said.join('\n'))
}

/** Starts the service, lets `work` use it, and stops it. */
async function served(
  environment: Record<string, string>,
  work: (session: Awaited<ReturnType<typeof signIn>>) => Promise<void>,
) {
  const service = await startZonekeeper(environment)
  try {
    await work(await signIn(service.url))
  } finally {
    await service.stop()
  }
}

/** A domain with a record, and a stored secret. `then` is done before the service stops. */
async function fill(environment: Record<string, string>, then = async (): Promise<unknown> => undefined) {
  await served(environment, async (session) => {
    const manual = await session.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
    const domain = { name: 'example.com', providerConfigId: idOf(manual) }
    const id = idOf(await session.post('/api/domains', domain))
    const record = { recordType: 'A', name: 'www', value: '192.0.2.10' }
    idOf(await session.post(`/api/domains/${id}/records`, record))
    const credentials = { apiUrl: 'http://127.0.0.1:8081', apiKey: 'a-long-random-key-7f3a' }
    idOf(await session.post('/api/provider-configs', { providerId: POWERDNS, name: 'secret', credentials }))
    await then()
  })
}

/** All of that is there again, the secret can be read, and the service can write. */
async function check(t: Test, environment: Record<string, string>) {
  await served(environment, async (session) => {
    t.match((await session.get('/api/domains')).body, { domains: [{ name: 'example.com', recordCount: 1 }] })
    t.match((await session.get('/api/records/search?q=www.example.com')).body, {
      records: [{ value: '192.0.2.10' }],
    })
    const { body } = await session.get('/api/provider-configs')
    const configs = body.providerConfigs as { name: string; credentials: unknown }[]
    t.match(configs.find(({ name }) => name === 'secret')?.credentials, { apiKey: /7f3a$/ })
    t.equal((await session.post('/api/provider-configs', { providerId: MANUAL, name: 'new' })).status, 201)
  })
}

void t.test('the embedded database', async (t) => {
  const [before, after] = [path.join(home, 'before'), path.join(home, 'after')]
  await fill({ DATA_DIR: before })
  await run(t, pack, { DATA_DIR: before })
  await run(t, unpack, { DATA_DIR: after })
  await check(t, { DATA_DIR: after })
})

const postgres = await startDebianPostgres(t)
const DATABASE_URL = postgres.url('zonekeeper', 'zonekeeper')
const environment = { DATABASE_URL, SECRET_KEY, DATA_DIR: path.join(home, 'unused') }

void t.test('a PostgreSQL of your own', async (t) => {
  postgres.sql('create role zonekeeper login')
  postgres.sql('create database zonekeeper owner zonekeeper')
  const hasTasks = () => postgres.sql('select count(*) from scheduled_tasks', 'zonekeeper') !== '0\n'
  await fill(environment, () => until('the scheduled tasks are stored', hasTasks))
  const env = { ...postgres.env, DATABASE_URL }
  await run(t, dump, env)
  postgres.sql('drop table records cascade', 'zonekeeper')
  await run(t, restore, env)
  const owners = `select string_agg(distinct pg_get_userbyid(owner), ',') from (
    select relowner from pg_class where relnamespace >= 16384 or relnamespace = 'public'::regnamespace
    union all select extowner from pg_extension where extname <> 'plpgsql'
    union all select nspowner from pg_namespace where oid >= 16384
  ) as owned (owner)`
  t.equal(postgres.sql(owners, 'zonekeeper'), 'zonekeeper\n', 'the role owns all of it')
  await check(t, environment)
})

void t.test('with the compose file', async (t) => {
  // As there, where it is the image's POSTGRES_USER.
  postgres.sql('alter role zonekeeper superuser')
  const docker = `docker() {
  test "$1" = compose
  case "$2" in
    exec) shift 4; "$@" ;;
    stop | start) test "$3" = zonekeeper ;;
    *) return 1 ;;
  esac
}
touch .env
mkdir -p secrets
`
  await run(t, docker + composeDump, postgres.env)
  postgres.sql('drop table records cascade', 'zonekeeper')
  await run(t, docker + composeRestore, postgres.env)
  await check(t, environment)
})
