import { setTimeout as sleep } from 'node:timers/promises'
import type { AcceptedOperation, Answer, OpenApi, Zonekeeper } from '../../typescript/index.ts'
import type { Session } from '../session.ts'
import type { Terminal } from './terminal.ts'

const BAR = 24
const FIRST_LOOK_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** A progress bar on standard error if that is a terminal. */
export function createBar({ stderr }: Terminal): { show(done: number, total: number): void; end(): void } {
  const isSeen = stderr.isTTY === true
  return {
    show(done, total) {
      const full = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * BAR)
      if (isSeen) stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total}\u001b[K`)
    },
    end() {
      if (isSeen) stderr.write('\r\u001b[K')
    },
  }
}

/** Shows a message on a terminal while a promise is pending. */
export async function showWhile<T>({ stderr }: Terminal, words: string, work: Promise<T>): Promise<T> {
  const isSeen = stderr.isTTY === true
  if (isSeen) stderr.write(words)
  try {
    return await work
  } finally {
    if (isSeen) stderr.write('\r\u001b[K')
  }
}

/** Waits for an operation to finish and shows its progress. */
export async function followed(
  session: Session,
  client: Zonekeeper,
  { operation }: AcceptedOperation,
): Promise<FinishedOperation> {
  const bar = createBar(session.terminal)
  try {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const now = await client.GET('/api/v1/operations/{id}', { path: { id: operation.id } })
      if (now.state === 'finished') return now
      bar.show(now.done, now.total)
      await sleep(pause)
    }
  } finally {
    bar.end()
  }
}

export type FinishedOperation = Answer<OpenApi, '/api/v1/operations/{id}', 'GET'>
