import pg from 'pg'

export interface Statement {
  text: string
  values: unknown[]
}

/** Statements that this process sends to PostgreSQL while `work` runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function record(this: unknown, ...args: unknown[]) {
    const [asked, given = []] = args as [string | Statement, unknown[]?]
    statements.push(typeof asked === 'string' ? { text: asked, values: given } : asked)
    return query.apply(this, args)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return statements
}
