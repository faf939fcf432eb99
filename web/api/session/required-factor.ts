import { Signal } from '../live/signal.ts'

/** Whether the service refuses this account until it has a second factor (403 `second_factor_required`). */
export const factorMissing = new Signal(false)
