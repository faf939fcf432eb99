import { styleText } from 'node:util'
import type { Zonekeeper } from '../typescript/index.ts'
import type { Exit } from './failures.ts'
import { readLogin } from './settings.ts'
import { createTable, type Column } from './terminal/table.ts'
import type { OutputFormat } from './terminal/output-format.ts'
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

/** No anchors, which some readers don't know, and values on one line. */
const YAML = { aliasDuplicateObjects: false, lineWidth: 0 }

/** One run of the program: client and output. */
export class Session {
  readonly terminal: Terminal
  /** Set when a command starts. */
  options: GlobalOptions = {}
  /** How answers are printed; with JSON and YAML, `options.json` is set. */
  format: OutputFormat = 'table'
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

  /** Prints an answer of the API as JSON or YAML. */
  async answer(body: unknown): Promise<void> {
    if (this.format !== 'yaml') return this.say(JSON.stringify(body, null, 2))
    const { stringify } = await import('yaml')
    await write(this.terminal.stdout, stringify(body, YAML))
  }

  paint(colour: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
    return hasColours(this.terminal) ? styleText(colour, text, { validateStream: false }) : text
  }

  /** Prints rows as they arrive: as a table, or as an array of the API's objects in JSON or YAML. */
  async list<Row>(columns: Column<Row>[], rows: AsyncIterable<Row> | Row[]): Promise<void> {
    if (this.format === 'yaml') return this.#sequence(rows)
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

  async #sequence<Row>(rows: AsyncIterable<Row> | Row[]): Promise<void> {
    const { stringify } = await import('yaml')
    let isEmpty = true
    for await (const row of rows) {
      await write(this.terminal.stdout, stringify([row], YAML))
      isEmpty = false
    }
    if (isEmpty) await this.say('[]')
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
