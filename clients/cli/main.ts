import { CommanderError } from 'commander'
import { EXIT, explain } from './failures.ts'
import { createProgram } from './program.ts'
import { Session } from './session.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Runs the program on the standard streams. */
export async function main(): Promise<void> {
  // A reader such as `head` may close the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const { env, stdin, stdout, stderr } = process
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
}

/** Runs one command and returns the exit code. Rejects only for bugs, never for errors of the user or the service. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const session = new Session(terminal)
  try {
    await createProgram(session).parseAsync(args, { from: 'user' })
    return session.exit
  } catch (error) {
    // Commander has already printed the help or the error in the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const failure = explain(error, session.url)
    if (!failure) throw error
    if (failure.message) await session.note(`zonekeeper: ${failure.message}`)
    return failure.exit
  }
}
