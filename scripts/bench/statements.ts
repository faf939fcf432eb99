import pg from 'pg'

export interface Statement {
  text: string
  values: unknown[]
}

/** What this process sends to PostgreSQL while `work` runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function record(this: unknown, ...args: unknown[]) {
    const [first] = args
    // A pool's client and a string are what transactions begin and end with.
    const { text, values } = typeof first === 'string' ? { text: first, values: [] } : (first as Statement)
    statements.push({ text, values: values ?? [] })
    return query.apply(this, args)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return statements
}
