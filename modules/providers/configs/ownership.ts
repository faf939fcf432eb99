import type { Ownership } from '../../../plugins/security/ownership.ts'
import { countConfigsOf, giveConfigs } from './queries.ts'

/** A user's provider connections. */
export const ownedConfigs: Ownership = {
  name: 'provider configurations',
  count: countConfigsOf,
  transfer: giveConfigs,
}
