import { styleText } from 'node:util'
import type { Zonekeeper } from '../typescript/index.ts'
import type { Exit } from './failures.ts'
import { readLogin } from './settings.ts'
import { createTable, type Column } from './table.ts'
import { hasColours, write, type Terminal } from './terminal.ts'

/** What every command may say. */
export interface GlobalOptions {
  json?: boolean
  yes?: boolean
}

const ROWS_AT_A_TIME = 500

/** One run of the program: its client, and what it writes. */
export class Session {
  readonly terminal: Terminal
  /** Known as soon as a command begins. */
  options: GlobalOptions = {}
  /** Of the service, as soon as it is known. */
  url = ''
  /** What the program ends with when nothing fails. */
  exit: Exit = 0
  #client: Promise<Zonekeeper> | null = null

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }

  /** The client of the login. Rejects with Failure when there is none. */
  client(): Promise<Zonekeeper> {
    return (this.#client ??= this.#connect())
  }

  async #connect(): Promise<Zonekeeper> {
    const login = await readLogin(this.terminal.env)
    this.url = login.url
    const { createClient } = await import('../typescript/index.ts')
    // Else it would seem to hang.
    const onWait = (seconds: number) => void this.note(`The service is busy: asking again in ${seconds} s`)
    return createClient({ ...login, client: 'cli', onWait })
  }

  /** A line for people, on the standard output. */
  say(line = ''): Promise<void> {
    return write(this.terminal.stdout, `${line}\n`)
  }

  /** A line beside the answer. */
  note(line: string): Promise<void> {
    return write(this.terminal.stderr, `${line}\n`)
  }

  /** The answer of the API as it is, for programs. */
  answer(body: unknown): Promise<void> {
    return this.say(JSON.stringify(body, null, 2))
  }

  paint(colour: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
    return hasColours(this.terminal) ? styleText(colour, text, { validateStream: false }) : text
  }

  /** Rows as a table, or as an array of the API's own objects; as they come, however many there are. */
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
