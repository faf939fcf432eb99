import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { readDnssec } from '../../domains/zone-settings/dnssec.ts'
import type { RecordContext } from '../../records/service.ts'

/** Seconds for which an answer of the DNS provider counts, also that it has none. */
const KEPT_MS = 60_000
const MAX_KEPT = 10_000
/** A zone is shown without it when the DNS provider takes longer. */
const PATIENCE_MS = 2_000

/** Whether zones are signed, as their DNS providers say; undefined if one does not answer. */
export interface Signing {
  read: (context: RecordContext, caller: Caller, zone: SignedZone) => Promise<boolean | undefined>
  /** What is known already. */
  known: (zone: SignedZone) => boolean | undefined
  forget: (domainId: string) => void
}

interface SignedZone {
  id: string
  /** Whether the DNS provider shows it; if it does not, the zone counts as unsigned. */
  canSign: boolean
}

export function createSigning(): Signing {
  const kept = new LRUCache<string, { signed: boolean | undefined }>({ max: MAX_KEPT, ttl: KEPT_MS })

  async function ask(context: RecordContext, caller: Caller, id: string): Promise<boolean | undefined> {
    const asked = readDnssec(context, caller, id).then(
      ({ signed }) => signed,
      (error: unknown) => {
        context.log.debug({ err: error, domainId: id }, 'DNSSEC status not read')
        return undefined
      },
    )
    const signed = await Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })])
    kept.set(id, { signed })
    return signed
  }

  return {
    known: ({ id, canSign }) => (canSign ? kept.get(id)?.signed : false),
    read: async (context, caller, { id, canSign }) => {
      if (!canSign) return false
      const before = kept.get(id)
      return before ? before.signed : ask(context, caller, id)
    },
    forget: (id) => void kept.delete(id),
  }
}
