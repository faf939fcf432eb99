import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { EXIT, Failure } from './failures.ts'
import type { Session } from './session.ts'
import { isAttended, type Terminal } from './terminal.ts'

/**
 * Returns when what was shown is to be done. Rejects with Failure when the user does not want it, and where nobody can
 * be asked and --yes was not said; `instead`: how to do it then.
 */
export async function confirm(
  session: Session,
  question: string,
  instead = 'say --yes to do it',
): Promise<void> {
  const { options, terminal } = session
  if (options.yes) return
  if (options.json || !isAttended(terminal)) {
    throw new Failure(EXIT.notConfirmed, `Nothing was done, as nobody can be asked: ${instead}`)
  }
  const answer = await ask(terminal, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) throw new Failure(EXIT.notConfirmed, 'Nothing was done')
}

/** One line that the user types, which is not shown when it is `secret`. */
export async function ask(terminal: Terminal, question: string, { secret = false } = {}): Promise<string> {
  const { stdin, stderr } = terminal
  // With a terminal as its output readline shows what is typed; this one shows the question alone.
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
    // By Ctrl+C, or by Ctrl+D.
    if ((error as NodeJS.ErrnoException).code === 'ABORT_ERR')
      throw new Failure(EXIT.notConfirmed, 'Nothing was done')
    throw error
  } finally {
    lines.close()
    if (secret) stderr.write('\n')
  }
}

/** All that comes by the standard input. */
export const readInput = ({ stdin }: Terminal): Promise<string> => readAll(stdin)
