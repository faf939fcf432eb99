import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { EXIT, CliError } from '../failures.ts'
import type { Session } from '../session.ts'
import { isAttended, type Terminal } from './terminal.ts'

/**
 * Returns if the user confirms or gave --yes. Rejects with CliError if the user declines, or nobody can be asked; `instead`
 * then says what to do.
 */
export async function confirm(session: Session, question: string, instead = 'add --yes'): Promise<void> {
  const { options, terminal } = session
  if (options.yes) return
  if (options.json || !isAttended(terminal)) {
    throw new CliError(EXIT.notConfirmed, `Nothing was changed, because this is not a terminal: ${instead}`)
  }
  const answer = await ask(terminal, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) throw new CliError(EXIT.notConfirmed, 'Nothing was changed')
}

/** Reads a line from the user, without showing it if it is `secret`. */
export async function ask(terminal: Terminal, question: string, { secret = false } = {}): Promise<string> {
  const { stdin, stderr } = terminal
  // readline echoes to a terminal; this output shows nothing but the question.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: stdin,
    output: secret ? silent : stderr,
    terminal: stdin.isTTY === true,
  })
  const interrupted = new AbortController()
  lines.once('SIGINT', () => interrupted.abort())
  if (secret) stderr.write(question)
  try {
    return (await lines.question(secret ? '' : question, { signal: interrupted.signal })).trim()
  } catch (error) {
    // Ctrl+C or Ctrl+D.
    if ((error as NodeJS.ErrnoException).code === 'ABORT_ERR')
      throw new CliError(EXIT.notConfirmed, 'Nothing was changed')
    throw error
  } finally {
    lines.close()
    if (secret) stderr.write('\n')
  }
}

/** Reads standard input to its end. */
export const readInput = ({ stdin }: Terminal): Promise<string> => readAll(stdin)
