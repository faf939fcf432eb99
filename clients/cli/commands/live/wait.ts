import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import type { FinishedOperation } from '../../terminal/progress.ts'
import { createBar } from '../../terminal/progress.ts'
import { isId } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { EXIT, CliError } from '../../failures.ts'
import { seconds } from '../../options.ts'
import type { Session } from '../../session.ts'

const FIRST_LOOK_MS = 200
const LONGEST_PAUSE_MS = 5_000
const HOUR_SECONDS = 3600

function operation(text: string): string {
  if (!isId(text))
    throw new InvalidArgumentError('Give the id of an operation, as "zonekeeper operations" shows it.')
  return text
}

/** Adds `wait`, which ends when an operation does. */
export function addWait(program: Command, session: Session): void {
  program
    .command('wait')
    .argument('OPERATION', 'id, as operations shows it', operation)
    .description(
      'wait until an operation has ended; exits with 1 unless all of it was done, with 6 if it still runs',
    )
    .option('--timeout <SECONDS>', 'wait at most this long', seconds, HOUR_SECONDS)
    .action(async (id: string, { timeout }: { timeout: number }) => {
      const ended = await untilEnded(session, id, timeout)
      if (ended.outcome !== 'succeeded') session.exit = EXIT.failed
      if (session.options.json) return session.answer(ended)
      const why = ended.problem ? `: ${printable(ended.problem.detail)}` : ''
      await session.say(
        `${ended.kind} ${ended.outcome}, ${ended.done} of ${ended.total} changes applied${why}`,
      )
    })
}

async function untilEnded(session: Session, id: string, timeout: number): Promise<FinishedOperation> {
  const client = await session.client()
  const until = Date.now() + timeout * 1000
  const bar = createBar(session.terminal)
  try {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const now = await client.GET('/api/v1/operations/{id}', { path: { id } })
      if (now.state === 'finished') return now
      const left = until - Date.now()
      if (left <= 0)
        throw new CliError(EXIT.different, `Still running: ${now.done} of ${now.total} changes applied`)
      bar.show(now.done, now.total)
      await sleep(Math.min(pause, left))
    }
  } finally {
    bar.end()
  }
}
