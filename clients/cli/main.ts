import { CommanderError } from 'commander'
import { EXIT, explain } from './failures.ts'
import { createProgram } from './program.ts'
import { Session } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Runs the program on the streams of this process. */
export async function main(): Promise<void> {
  // Whoever reads has read enough, as `head` does: nothing is wrong.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const { env, stdin, stdout, stderr } = process
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
}

/** One run with these arguments. Answers the exit code, and never rejects for what the user or the service did. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const session = new Session(terminal)
  try {
    await createProgram(session).parseAsync(args, { from: 'user' })
    return session.exit
  } catch (error) {
    // Commander has said it already: a fault in the arguments, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const failure = explain(error, session.url)
    if (!failure) throw error
    if (failure.message) await session.note(`zonekeeper: ${failure.message}`)
    return failure.exit
  }
}
