import { styleText } from 'node:util'
import type { Zonekeeper } from '../typescript/index.ts'
import type { Exit } from './failures.ts'
import { readLogin } from './settings.ts'
import { createTable, type Column } from './terminal/table.ts'
import { hasColours, write, type Terminal } from './terminal/terminal.ts'

/** Options of every command. */
export interface GlobalOptions {
  json?: boolean
  yes?: boolean
  /** Of commands that apply changes: title of the change request to open if they need a review. */
  requestReview?: string
  /** Of commands that apply changes: why a review is bypassed. */
  emergency?: string
  /** Of commands that apply changes: when to apply them; ISO 8601. */
  at?: string
  /** Of commands that apply changes: minutes in which they must be confirmed. */
  confirmWithin?: number
}

const ROWS_AT_A_TIME = 500

/** One run of the program: client and output. */
export class Session {
  readonly terminal: Terminal
  /** Set when a command starts. */
  options: GlobalOptions = {}
  /** URL of the service; set with the client. */
  url = ''
  /** Exit code if nothing fails. */
  exit: Exit = 0
  #client: Promise<Zonekeeper> | null = null

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }

  /** Returns the client of the stored login. Rejects with CliError if nobody is logged in. */
  client(): Promise<Zonekeeper> {
    return (this.#client ??= this.#connect())
  }

  async #connect(): Promise<Zonekeeper> {
    const login = await readLogin(this.terminal.env)
    this.url = login.url
    const { createClient } = await import('../typescript/index.ts')
    const onWait = (seconds: number) => void this.note(`The service is busy; retrying in ${seconds} s`)
    return createClient({ ...login, client: 'cli', onWait })
  }

  /** Prints a line on standard output. */
  say(line = ''): Promise<void> {
    return write(this.terminal.stdout, `${line}\n`)
  }

  /** Prints a line on standard error. */
  note(line: string): Promise<void> {
    return write(this.terminal.stderr, `${line}\n`)
  }

  /** Prints an answer of the API as JSON. */
  answer(body: unknown): Promise<void> {
    return this.say(JSON.stringify(body, null, 2))
  }

  paint(colour: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
    return hasColours(this.terminal) ? styleText(colour, text, { validateStream: false }) : text
  }

  /** Prints rows as they arrive: as a table, or as a JSON array of the API's objects. */
  async list<Row>(columns: Column<Row>[], rows: AsyncIterable<Row> | Row[]): Promise<void> {
    if (this.options.json) return this.#array(rows)
    const { stdout } = this.terminal
    const table = createTable(columns, stdout.isTTY === true ? (stdout.columns ?? 80) : null)
    let batch: Row[] = []
    const flush = async () => {
      if (batch.length > 0) await write(stdout, `${table.lines(batch).join('\n')}\n`)
      batch = []
    }
    for await (const row of rows) if (batch.push(row) === ROWS_AT_A_TIME) await flush()
    await flush()
  }

  async #array<Row>(rows: AsyncIterable<Row> | Row[]): Promise<void> {
    let before = '['
    for await (const row of rows) {
      await write(this.terminal.stdout, `${before}\n${JSON.stringify(row)}`)
      before = ','
    }
    await this.say(before === '[' ? '[]' : '\n]')
  }
}
