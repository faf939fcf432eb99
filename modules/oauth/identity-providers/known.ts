import { unknownProvider } from '../errors.ts'
import type { ProviderId } from './contract.ts'
import { isProviderId } from './registry.ts'

/** The id of a path, or a 404. */
export function known(id: string): ProviderId {
  if (!isProviderId(id)) throw unknownProvider(id)
  return id
}
