import type { Holding } from '../../plugins/holdings.ts'
import { countConfigsOf, giveConfigs } from './queries.ts'

/** The provider configurations of a user. */
export const configHolding: Holding = {
  name: 'provider configurations',
  count: countConfigsOf,
  transfer: giveConfigs,
}
