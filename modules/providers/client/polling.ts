import type { AdapterContext } from '../context.ts'
import { ProviderError } from '../contract.ts'

const POLL_MS = 500

/**
 * Returns the first result of `ask` that is not null, polling until the deadline. Rejects with ProviderError
 * `timeout`.
 */
export async function untilDone<T>(
  { clock, deadline, signal }: Pick<AdapterContext, 'clock' | 'deadline' | 'signal'>,
  provider: string,
  ask: () => Promise<T | null>,
): Promise<T> {
  const notInTime = () =>
    new ProviderError('timeout', `${provider} is still processing this change`, { outcome: 'unknown' })
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (clock.now() + POLL_MS >= deadline) throw notInTime()
    await clock.sleep(POLL_MS, signal).catch(() => {
      throw notInTime()
    })
  }
}
