import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, supervised, type Supervised } from './supervised.ts'

export interface PowerDns {
  apiUrl: string
  apiKey: string
  dnsPort: number
  /** Where its database and log are, while it runs. */
  directory: string
  /** The answers of the server itself, as `dig +short` prints them. */
  dig(name: string, type: string): Promise<string[]>
  close(): Promise<void>
}

const run = promisify(execFile)

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const POSTGRES_SCHEMA = '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql'
const READY_MS = 15_000
const ATTEMPTS = 5

/** A database of a PostgreSQL that takes us without a password. */
export interface PostgresDatabase {
  host: string
  port: number
  user: string
  database: string
}

/** The tables that PowerDNS needs in PostgreSQL. */
export const postgresSchema = (): Promise<string> => readFile(POSTGRES_SCHEMA, 'utf8')

/**
 * A real PowerDNS (see scripts/install-peers.sh) on free ports, on loopback unless another address is given, with an
 * empty SQLite database, or on this one of PostgreSQL, which has its tables.
 */
export async function startPowerDns(
  postgres?: PostgresDatabase | null,
  address = '127.0.0.1',
): Promise<PowerDns> {
  const apiKey = randomBytes(16).toString('hex')
  for (let attempt = 1; ; attempt++) {
    const directory = await mkdtemp(join(tmpdir(), 'zonekeeper-pdns-'))
    const [dnsPort, webPort] = await Promise.all([freePort(), freePort()])
    if (!postgres) await createDatabase(directory)
    const backend = postgres ? onPostgres(postgres) : onSqlite(directory)
    await writeFile(
      join(directory, 'pdns.conf'),
      backend + configuration(directory, apiKey, address, dnsPort, webPort),
    )
    const server = supervised(directory, 'pdns_server', [`--config-dir=${directory}`])
    const apiUrl = `http://${address}:${webPort}`
    if (await isReady(server, apiUrl, apiKey)) {
      return { apiUrl, apiKey, dnsPort, directory, dig: digAt(address, dnsPort), close: () => server.stop() }
    }
    await server.stop()
    // Another process may have taken a port between our asking for it and the server's start.
    const isTaken = /Address already in use|Unable to bind/i.test(server.log())
    if (!isTaken || attempt === ATTEMPTS) throw new Error(`PowerDNS does not start:\n${server.log()}`)
  }
}

async function createDatabase(directory: string): Promise<void> {
  const schema = await readFile(SCHEMA, 'utf8')
  await run('sqlite3', [join(directory, 'pdns.sqlite'), schema])
}

const onSqlite = (directory: string) => `
launch=gsqlite3
gsqlite3-database=${directory}/pdns.sqlite
gsqlite3-dnssec=yes
gsqlite3-pragma-synchronous=0
`

const onPostgres = ({ host, port, user, database }: PostgresDatabase) => `
launch=gpgsql
gpgsql-host=${host}
gpgsql-port=${port}
gpgsql-user=${user}
gpgsql-dbname=${database}
`

const configuration = (
  directory: string,
  apiKey: string,
  address: string,
  dnsPort: number,
  webPort: number,
) => `
local-address=${address}
local-port=${dnsPort}
socket-dir=${directory}
daemon=no
guardian=no
api=yes
api-key=${apiKey}
webserver=yes
webserver-address=${address}
webserver-port=${webPort}
webserver-allow-from=127.0.0.0/8,10.0.0.0/8
write-pid=no
disable-syslog=yes
loglevel=4
security-poll-suffix=
direct-dnskey=yes
`

async function isReady(server: Supervised, apiUrl: string, apiKey: string): Promise<boolean> {
  const end = Date.now() + READY_MS
  while (server.isRunning() && Date.now() < end) {
    const answer = await fetch(`${apiUrl}/api/v1/servers/localhost`, {
      headers: { 'x-api-key': apiKey },
    }).catch(
      // Not listening yet.
      () => null,
    )
    // Whoever else may have taken the port doesn't know our key.
    if (answer?.status === 200) return true
    await sleep(10)
  }
  return false
}

const digAt = (address: string, port: number) => async (name: string, type: string) => {
  const { stdout } = await run('dig', [
    `@${address}`,
    '-p',
    String(port),
    '+short',
    '+time=3',
    '+tries=2',
    name,
    type,
  ])
  return stdout.split('\n').filter((line) => line !== '')
}
