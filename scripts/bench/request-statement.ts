import type pg from 'pg'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { connect } from '../../db/connection/connect.ts'
import type { ListCase } from './list-cases.ts'
import { PASSWORD, SECRET_KEY } from './seed.ts'
import { statementsOf, type Statement } from './statements.ts'

/** The statement by which the service reads this list after it has been answered once. */
export async function statementOfRequest(database: pg.ClientConfig, list: ListCase): Promise<Statement> {
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }, '/dev/null')
  const connection = connect(database)
  const app = await buildApp(config, { connection, secretKeys: [SECRET_KEY], alone: true })
  try {
    const payload = { username: list.user, password: PASSWORD }
    const signedIn = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
    const headers = { authorization: `Bearer ${signedIn.json<{ accessToken: string }>().accessToken}` }
    const ask = () => app.inject({ url: list.path, headers })
    await ask()
    let statements = await statementsOf(ask)
    // The database heartbeat may have run in between.
    if (statements.length > (list.statements ?? 1)) statements = await statementsOf(ask)
    if (statements.length !== (list.statements ?? 1))
      throw new Error(`${list.path} takes ${statements.length} statements`)
    return statements.at(-1) as Statement
  } finally {
    await app.close()
    await connection.close()
  }
}
