import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import pg from 'pg'

/**
 * A Kysely driver over pg that sends statements outside of a transaction down a few shared, pipelined
 * connections (many queries on the wire at once, about 1.5 times the throughput of a pool) and takes a
 * connection of its own from a pool for each transaction. Statements are prepared once and named.
 */
export class PipelineDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #config: pg.ClientConfig
  readonly #lanes: (Lane | undefined)[]
  #ended = false

  constructor(config: pg.ClientConfig, options: { lanes: number; poolSize: number }) {
    this.#config = config
    this.#lanes = Array.from({ length: options.lanes }, () => undefined)
    this.#pool = new pg.Pool({ ...config, pipeline: true, max: options.poolSize, idleTimeoutMillis: 30_000 })
    // An idle connection that breaks is replaced on the next use; without a listener it would end the process.
    this.#pool.on('error', () => {})
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new LazyConnection(this)
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    lazy(connection).begin(await this.#pool.connect(), `begin${level}`)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { command } = await lazy(connection).command('commit')
    // COMMIT of a transaction in which a statement failed answers ROLLBACK and no error.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await lazy(connection).command('rollback')
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    lazy(connection).release()
  }

  async destroy(): Promise<void> {
    this.#ended = true
    await Promise.all(this.#lanes.map(async (lane) => lane?.end()))
    await this.#pool.end()
  }

  /** The lane with the fewest queries under way; a broken one is opened anew. */
  lane(): Lane {
    if (this.#ended) throw new Error('The database is closed')
    let best = -1
    for (let i = 0; i < this.#lanes.length; i++) {
      let lane = this.#lanes[i]
      if (!lane?.usable) lane = this.#lanes[i] = new Lane(this.#config)
      if (lane.waiting === 0) return lane
      if (best < 0 || lane.waiting < (this.#lanes[best]?.waiting ?? Infinity)) best = i
    }
    return this.#lanes[best] as Lane
  }

  /** A connection of its own outside the pool's count, for LISTEN and the like. */
  connectAlone(): pg.Client {
    return new pg.Client(this.#config)
  }
}

/** One pipelined connection. */
class Lane {
  readonly #client: pg.Client
  readonly #connected: Promise<unknown>
  usable = true
  waiting = 0

  constructor(config: pg.ClientConfig) {
    this.#client = new pg.Client({ ...config, pipeline: true })
    const broken = () => {
      this.usable = false
    }
    this.#client.on('error', broken)
    this.#client.on('end', broken)
    this.#connected = this.#client.connect()
    this.#connected.catch(broken)
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.waiting++
    try {
      await this.#connected
      return await this.#client.query(query)
    } finally {
      this.waiting--
    }
  }

  async end(): Promise<void> {
    if (this.usable) await this.#client.end()
  }
}

/** What Kysely holds: nothing until a transaction begins on it. */
class LazyConnection implements DatabaseConnection {
  readonly #driver: PipelineDriver
  #client: pg.PoolClient | undefined
  #begun: Promise<unknown> | undefined
  #broken: Error | undefined

  constructor(driver: PipelineDriver) {
    this.#driver = driver
  }

  /** Does not wait: `begin` goes over the wire with the first statement, which fails when it does. */
  begin(client: pg.PoolClient, text: string): void {
    this.#client = client
    this.#begun = this.command(text)
    this.#begun.catch(() => {})
  }

  async command(text: string): Promise<pg.QueryResult> {
    try {
      return await (this.#client as pg.PoolClient).query(text)
    } catch (error) {
      // A connection whose transaction can't be ended must not go back to the pool.
      this.#broken = error as Error
      throw error
    }
  }

  release(): void {
    this.#client?.release(this.#broken)
    this.#client = undefined
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const query = named(compiled)
    const result = this.#client ? await this.#inTransaction(query) : await this.#driver.lane().query(query)
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  async #inTransaction(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const begun = this.#begun
    this.#begun = undefined
    const answer = (this.#client as pg.PoolClient).query(query)
    if (begun !== undefined) await Promise.all([begun, answer])
    return answer
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator, we have no cursors
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported; page by key instead')
  }
}

const lazy = (connection: DatabaseConnection) => connection as LazyConnection

/** The texts of the statements that were given a name; few, because lists of values go as arrays. */
const names = new Map<string, string>()
const MAX_NAMES = 1_000

function named({ sql, parameters }: CompiledQuery): pg.QueryConfig {
  const query: pg.QueryConfig = { text: sql, values: parameters as unknown[] }
  // Statements without parameters are DDL and the like: preparing those gains nothing and may be refused.
  if (parameters.length === 0) return query
  let name = names.get(sql)
  if (name === undefined && names.size < MAX_NAMES) names.set(sql, (name = `zk${names.size}`))
  if (name !== undefined) query.name = name
  return query
}
