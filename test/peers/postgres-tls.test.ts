import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { connectByUrl } from '../../db/connection/connect.ts'
import { debianPrograms } from './debian-programs.ts'
import { freePort, startProgram } from './processes.ts'
import { startZonekeeper } from './zonekeeper.ts'

/* TLS to a PostgreSQL whose certificate an authority of our own has issued, as docs/operations.md describes it. */

const postgres = debianPrograms(t)
const file = (name: string) => path.join(postgres.home, name)
const openssl = (...options: string[]) => execFileSync('openssl', options, { stdio: 'pipe' })

function authority(name: string) {
  openssl(
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2'.split(' '),
    '-subj',
    `/CN=${name}`,
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.pem`),
  )
}

function certificate(name: string, subject: string, extension?: string) {
  const extensions = extension === undefined ? [] : ['-addext', extension]
  openssl(
    ...'req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc'.split(' '),
    '-subj',
    `/CN=${subject}`,
    ...extensions,
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.csr`),
  )
  openssl(
    ...'x509 -req -days 2 -copy_extensions copy'.split(' '),
    '-CA',
    file('ca.pem'),
    '-CAkey',
    file('ca.key'),
    '-in',
    file(`${name}.csr`),
    '-out',
    file(`${name}.pem`),
  )
}

authority('ca')
authority('stranger')
certificate('server', 'db', 'subjectAltName=DNS:localhost')
certificate('client', 'zonekeeper')
if (process.getuid?.() === 0) chownSync(file('server.key'), Number(execFileSync('id', ['-u', 'postgres'])), 0)
chmodSync(file('server.key'), 0o600)
writeFileSync(
  file('hba.conf'),
  'local all all trust\nhostssl all zonekeeper 127.0.0.1/32 scram-sha-256\nhostssl all by_certificate 127.0.0.1/32 cert map=m\n',
)
writeFileSync(file('ident.conf'), 'm zonekeeper by_certificate\n')
postgres.run('initdb', '-D', file('data'), '-U', 'postgres', '-A', 'trust', '--no-sync')
const port = await freePort()
const settings = {
  listen_addresses: '127.0.0.1',
  port: String(port),
  fsync: 'off',
  ssl: 'on',
  ssl_cert_file: file('server.pem'),
  ssl_key_file: file('server.key'),
  ssl_ca_file: file('ca.pem'),
  hba_file: file('hba.conf'),
  ident_file: file('ident.conf'),
}
const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
const server = await startProgram(
  postgres.command('postgres', '-D', file('data'), ...options, '-k', postgres.home),
  { cwd: postgres.home },
)
t.teardown(() => server.stop())
await postgres.answers(port)
postgres.psql("create role zonekeeper login password 'a:b/c@d%'", { port })
postgres.psql('create role by_certificate login', { port })
postgres.psql('create database zonekeeper owner zonekeeper', { port })

const ROLE = `zonekeeper:${encodeURIComponent('a:b/c@d%')}`

/** Whether the session is encrypted; rejects with the reason when there is none. */
async function isEncrypted(parameters: Record<string, string>, { host = 'localhost', role = ROLE } = {}) {
  const query = new URLSearchParams(parameters).toString()
  const connection = connectByUrl(`postgres://${role}@${host}:${port}/zonekeeper?${query}`, null)
  const session = connection.createClient()
  session.on('error', () => {})
  try {
    await connection.ping()
    await session.connect()
    const { rows } = await session.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return (rows[0] as { ssl: boolean }).ssl
  } finally {
    await session.end()
    await connection.close()
  }
}

const CA = file('ca.pem')

void t.test('the right authority and host', async (t) => {
  t.equal(await isEncrypted({ sslmode: 'verify-full', sslrootcert: CA }), true)
})

void t.test('another authority, none, or another host is refused, whatever the mode is called', async (t) => {
  for (const sslmode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
    await t.rejects(
      isEncrypted({ sslmode, sslrootcert: file('stranger.pem') }),
      { message: /certificate/ },
      sslmode,
    )
    await t.rejects(isEncrypted({ sslmode }), { message: /certificate/ }, sslmode)
    await t.rejects(
      isEncrypted({ sslmode, sslrootcert: CA }, { host: '127.0.0.1' }),
      { message: /altnames/ },
      sslmode,
    )
  }
})

void t.test('no-verify takes any certificate; without a mode there is no TLS', async (t) => {
  t.equal(await isEncrypted({ sslmode: 'no-verify' }, { host: '127.0.0.1' }), true)
  for (const parameters of [{}, { sslmode: 'disable' }] as Record<string, string>[]) {
    await t.rejects(isEncrypted(parameters), { message: /no encryption/ })
  }
})

void t.test('a client certificate instead of a password', async (t) => {
  const own = { sslcert: file('client.pem'), sslkey: file('client.key') }
  const trusted = { sslmode: 'verify-full', sslrootcert: CA }
  t.equal(await isEncrypted({ ...trusted, ...own }, { role: 'by_certificate' }), true)
  await t.rejects(isEncrypted(trusted, { role: 'by_certificate' }), { message: /certificate/ })
})

void t.test('the service runs on it, jobs and messages included', async (t) => {
  writeFileSync(file('password'), 'a:b/c@d%\n')
  const query = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: CA }).toString()
  const environment = {
    DATABASE_URL: `postgres://zonekeeper@localhost:${port}/zonekeeper?${query}`,
    DATABASE_PASSWORD_FILE: file('password'),
    DATA_DIR: postgres.home,
  }
  const service = await startZonekeeper(environment)
  t.teardown(() => service.stop())
  const sessions = postgres.psql(
    "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'zonekeeper'",
    { port },
  )
  t.equal(sessions.trim(), 't')
  t.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await t.rejects(
    startZonekeeper({
      ...environment,
      DATABASE_URL: environment.DATABASE_URL.replace('ca.pem', 'missing.pem'),
    }),
    { message: /missing\.pem/ },
  )
})
