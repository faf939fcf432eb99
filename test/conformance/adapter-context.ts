import type { AdapterContext } from '../../modules/providers/context.ts'
import { createShare } from '../../modules/providers/traffic/accounts.ts'
import { systemClock } from '../../modules/providers/traffic/clock.ts'

const silent: AdapterContext['log'] = { debug: () => {}, info: () => {}, warn: () => {} }

/** Of an account of its own that nothing limits; what fails is not repeated, so that it is seen. */
export function adapterContext(
  given: Pick<AdapterContext, 'http' | 'tcp'> & Partial<AdapterContext>,
): AdapterContext {
  const unlimited = { turn: async () => {}, note: () => {}, pause: () => {} }
  return {
    ...createShare('test', [], { until: () => 0, set: () => {} }, systemClock),
    limiter: unlimited,
    signal: AbortSignal.timeout(20_000),
    waiting: AbortSignal.timeout(20_000),
    deadline: Date.now() + 15_000,
    maxTries: 1,
    maxZoneRecords: 100_000,
    parallelWrites: 1,
    clock: systemClock,
    log: silent,
    ...given,
  }
}
