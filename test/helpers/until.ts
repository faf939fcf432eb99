import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a machine with much else to do; who waits for nothing else loses no time by it. */
const WITHIN_SECONDS = 30

type Wanted<T> = T | false | null | undefined

/** Between two looks, in ms: a twentieth of the time waited so far. Looking takes processor time from what is waited for. */
const PAUSE = { least: 10, most: 100 }

/**
 * Waits until the condition finds something true, and answers that. Throws, saying what it waited for, when
 * that has not come `within` so many seconds.
 */
export async function until<T>(
  what: string,
  condition: () => Wanted<T> | Promise<Wanted<T>>,
  { within = WITHIN_SECONDS }: { within?: number } = {},
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const found = await condition()
    if (found) return found
    const waited = performance.now() - begun
    if (waited > within * 1000) throw new Error(`Waited ${within} s in vain: ${what}`)
    await sleep(Math.min(Math.max(waited / 20, PAUSE.least), PAUSE.most))
  }
}
