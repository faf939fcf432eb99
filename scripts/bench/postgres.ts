import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { connect, type Connection } from '../../db/connection/connect.ts'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { migrate } from '../../db/migrations/migrator.ts'

/** The embedded PostgreSQL in a directory of its own, deleted when it is closed. */
interface BenchPostgres {
  server: pg.ClientConfig
  /** Creates and migrates a database, and returns its URL. */
  createDatabase(name: string): Promise<pg.ClientConfig>
  createEmptyDatabase(name: string): Promise<pg.ClientConfig>
  close(): Promise<void>
}

/**
 * `durable`: as in production; without it, seeding and reading cost the same, and writing costs much less.
 */
export async function startPostgres({ durable }: { durable: boolean }): Promise<BenchPostgres> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-bench-'))
  // Rows written by COPY are not in the cache of the operating system; the cache of PostgreSQL holds the
  // working set.
  const postgres = await startEmbedded({ dataDir, durable, settings: { maintenance_work_mem: '256MB' } })
  const server = postgres.connection
  const create = async (name: string): Promise<pg.ClientConfig> => {
    await withClient(server, (client) => client.query(`create database ${name}`))
    return { ...server, database: name }
  }
  return {
    server,
    createEmptyDatabase: create,
    async createDatabase(name) {
      const config = await create(name)
      await withConnection(config, ({ jobs }) => migrate(jobs))
      return config
    },
    async close() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function withConnection<T>(
  config: pg.ClientConfig,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect(config)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
