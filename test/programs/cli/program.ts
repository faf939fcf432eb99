import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { run } from '../../../clients/cli/main.ts'
import type { Input, Output } from '../../../clients/cli/terminal/terminal.ts'
import { startApp, type TestApp } from '../../helpers/app.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export interface Ended {
  exit: number
  out: string
  err: string
}

export interface Options {
  /** The standard input, which is no terminal then. */
  input?: string
  /** Runs at a terminal of this width, whose user answers each question with the next of these lines. */
  terminal?: { columns?: number; answers?: string[] }
  env?: NodeJS.ProcessEnv
}

/** A folder for what a user keeps, which goes with the test. */
export function temporaryHome(t: Owner): string {
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-cli-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Runs the program in this process, on streams of its own. */
export async function runProgram(
  args: string[],
  { input, terminal, env = {} }: Options = {},
): Promise<Ended> {
  const answers = [...(terminal?.answers ?? [])]
  const typed = new PassThrough()
  const isTyped = terminal !== undefined && input === undefined
  const stdin: Input = isTyped ? Object.assign(typed, { isTTY: true }) : Readable.from([input ?? ''])
  const size = { isTTY: terminal !== undefined, columns: terminal?.columns ?? 80 }
  const written: { out: string; err: string } = { out: '', err: '' }
  const into = (name: 'out' | 'err', heard?: (text: string) => void): Output =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          written[name] += chunk.toString()
          heard?.(chunk.toString())
          done()
        },
      }),
      size,
    )
  const asked = (text: string) => {
    // As people do: after the question, which is all that ends so.
    if (/(\[y\/N\]|:) $/.test(text)) setImmediate(() => typed.write(`${answers.shift() ?? ''}\r`))
  }
  const exit = await run(args, { env, stdin, stdout: into('out'), stderr: into('err', asked) })
  return { exit, ...written }
}

export interface Cli extends TestApp {
  url: string
  domainId: string
  token: string
  /** Runs it with the address and token of the service. The words of the command are split at spaces. */
  zk(command: string | string[], options?: Options): Promise<Ended>
}

export const PERMISSIONS = [
  'domains:read',
  'domains:write',
  'records:read',
  'records:write',
  'providers:read',
  'templates:read',
] as const

/** A listening service with example.com, and the program as its user has it. */
export async function startCli(t: Owner, options: Parameters<typeof startApp>[1] = {}): Promise<Cli> {
  const service = await startApp(t, options)
  const { app, admin } = service
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')
  const made = await admin.post('/api/auth/me/tokens', { name: 'cli', permissions: [...PERMISSIONS] })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const { token } = made.body as { token: string }
  const env = { HOME: temporaryHome(t), ZONEKEEPER_URL: url, ZONEKEEPER_TOKEN: token }
  const zk = (command: string | string[], more: Options = {}) =>
    runProgram(typeof command === 'string' ? command.split(' ') : command, {
      ...more,
      env: { ...env, ...more.env },
    })
  return { ...service, url, domainId, token, zk }
}
