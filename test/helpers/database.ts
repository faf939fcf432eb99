import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connect, type Connection } from '../../db/connection/connect.ts'

/** The migrated database that every test's own is copied from; made by scripts/test.ts. */
export const TEMPLATE = 'zonekeeper_template'

export interface TestDatabase extends Connection {
  config: pg.ClientConfig
}

interface Owner {
  teardown(end: () => unknown): void
}

/** The server that scripts/test.ts started, as pg takes it. */
export function serverConfig(): pg.ClientConfig {
  const config = process.env['TEST_DATABASE']
  if (config === undefined) throw new Error('Run tests by "npm test -- <files>": it starts the database')
  return JSON.parse(config) as pg.ClientConfig
}

/** A database of the test's own, migrated and empty; gone when the test ends. */
export const createDatabase = (t: Owner): Promise<TestDatabase> =>
  createNamed(t, `template ${TEMPLATE} strategy file_copy`)

/** The same without a table. */
export const createEmptyDatabase = (t: Owner): Promise<TestDatabase> => createNamed(t, '')

async function createNamed(t: Owner, options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} ${options}`)
  const config = { ...serverConfig(), database: name }
  const connection = connect(config)
  t.teardown(async () => {
    await connection.close()
    await administer(`drop database if exists ${name} with (force)`)
  })
  return { ...connection, config }
}

/** Runs one statement that can't be in a transaction, on the server's own database. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client(serverConfig())
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
