import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../context.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}
