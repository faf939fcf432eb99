import { setTimeout as sleep } from 'node:timers/promises'
import {
  halfDone,
  ProviderError,
  type ChangeOutcome,
  type DnsAdapter,
  type RRsetEdit,
  type Zone,
} from '../../../providers/contract.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 4_000

/** How long a change is waited for; later its outcome is unknown. */
interface Patience {
  /** Milliseconds since 1970. */
  lastTry: number
  cutOff: AbortSignal
}

/**
 * Applies the edits, and waits until they are in force, where the provider goes on after its answer or needs to be
 * told.
 */
export async function writeEdits(
  adapter: DnsAdapter,
  zone: Zone,
  edits: RRsetEdit[],
  { lastTry, cutOff }: Patience,
): Promise<ChangeOutcome[][]> {
  const answer = await adapter.apply(zone, edits)
  const { outcomes, change } = Array.isArray(answer) ? { outcomes: answer, change: null } : answer
  try {
    await adapter.commit?.(zone)
    if (change !== null) await untilFinished(adapter, zone, change, { lastTry, cutOff })
  } catch (error) {
    // What was written is there, and may or may not be in force.
    throw isGivenUp(error) ? error : halfDone(error)
  }
  return outcomes
}

async function untilFinished(
  adapter: DnsAdapter,
  zone: Zone,
  change: string,
  { lastTry, cutOff }: Patience,
): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    if (await adapter.isFinished?.(zone, change)) return
    const pause = Math.min(wait, LONGEST_WAIT_MS)
    if (Date.now() + pause > lastTry) throw notDoneYet()
    await sleep(pause, undefined, { signal: cutOff }).catch(() => {
      throw notDoneYet()
    })
  }
}

const notDoneYet = () => new ProviderError('timeout', 'The provider is not done with the change yet')

const isGivenUp = (error: unknown) =>
  error instanceof ProviderError && error.kind === 'rejected' && error.outcome === 'not_applied'
