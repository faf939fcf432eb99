import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a machine with much else to do; who waits for nothing else loses no time by it. */
const WITHIN_SECONDS = 30

type Wanted<T> = T | false | null | undefined

/**
 * Waits until the condition finds something true, and answers that. Throws, saying what it waited for, when
 * that has not come `within` so many seconds.
 */
export async function until<T>(
  what: string,
  condition: () => Wanted<T> | Promise<Wanted<T>>,
  { within = WITHIN_SECONDS }: { within?: number } = {},
): Promise<T> {
  const end = performance.now() + within * 1000
  for (;;) {
    const found = await condition()
    if (found) return found
    if (performance.now() > end) throw new Error(`Waited ${within} s in vain: ${what}`)
    await sleep(10)
  }
}
