import { unknownProvider } from '../errors.ts'
import type { ProviderId } from './contract.ts'
import { isProviderId } from './registry.ts'

/** Returns the provider of a path's id, or throws 404. */
export function known(id: string): ProviderId {
  if (!isProviderId(id)) throw unknownProvider(id)
  return id
}
