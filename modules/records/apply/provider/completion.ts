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

/** How long to wait for a change; after that its outcome is unknown. */
interface Patience {
  /** Milliseconds since 1970. */
  lastTry: number
  cutOff: AbortSignal
}

/** Writes edits at the provider, commits them where needed, and waits until they are in effect. */
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
    // The edits were written, but may not be in effect.
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

const notDoneYet = () => new ProviderError('timeout', 'The provider did not complete the change in time')

const isGivenUp = (error: unknown) =>
  error instanceof ProviderError && error.kind === 'rejected' && error.outcome === 'not_applied'
