import type { Ownership } from '../../../plugins/security/ownership.ts'
import { countConfigsOf, giveConfigs } from './queries.ts'

/** The provider configurations of a user. */
export const ownedConfigs: Ownership = {
  name: 'provider configurations',
  count: countConfigsOf,
  transfer: giveConfigs,
}
