import type { GrantedDomain } from '../../../domains/access/access.ts'
import { connectionOf, zoneOf } from '../../../domains/service.ts'
import { ProviderError } from '../../../providers/contract.ts'
import { providerFailure } from '../../../providers/errors.ts'
import { unavailable } from '../../../../plugins/http/errors.ts'
import type { RecordContext } from '../../context.ts'
import type { SetKey } from '../../plan/change.ts'
import { readSets } from './provider-reads.ts'

/** Failures that say that the provider can't be reached now, not that it refuses. */
const PASSING: ReadonlySet<ProviderError['kind']> = new Set([
  'unavailable',
  'timeout',
  'rate_limited',
  'locked',
])

/**
 * Reads one of the RRsets at the provider, before work that nobody waits for is written to the journal: rejects with 503 if
 * the provider is down, so that the work can be tried later.
 */
export async function requireReachable(
  context: RecordContext,
  domain: GrantedDomain,
  [first]: readonly SetKey[],
): Promise<void> {
  if (!first) return
  const connection = await connectionOf(context, domain)
  if (connection.provider.capabilities.truth === 'local') return
  try {
    await readSets(connection, zoneOf(domain), [first])
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (PASSING.has(error.kind)) throw unavailable(`The DNS provider can't be reached: ${error.message}`)
    throw providerFailure(error)
  }
}
