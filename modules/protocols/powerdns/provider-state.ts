import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { GrantedDomain } from '../../domains/access/access.ts'
import { readDnssec } from '../../domains/zone-settings/dnssec.ts'
import { refreshSoa } from '../../domains/zone-settings/soa.ts'
import type { RecordContext } from '../../records/service.ts'

/** How long an answer of the DNS provider counts: signing changes rarely, and a client may read all zones in a row. */
const KEPT_MS = 15 * 60_000
/** The same for no answer. */
const RETRY_MS = 60_000
const MAX_KEPT = 10_000
/** An answer does not wait longer for the DNS provider. */
const PATIENCE_MS = 1_000

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

  function ask(context: RecordContext, caller: Caller, id: string): Promise<boolean | undefined> {
    const asked = readDnssec(context, caller, id)
      .then(({ signed }) => signed)
      .catch((error: unknown) => {
        context.log.debug({ err: error, domainId: id }, 'DNSSEC status not read')
        return undefined
      })
      // Also if it comes too late for this request, or never.
      .then((signed) => {
        kept.set(id, { signed }, { ttl: signed === undefined ? RETRY_MS : KEPT_MS })
        return signed
      })
    return Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })])
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

/**
 * Returns the serial of the zone after a change, as the DNS provider has it now, and stores it for the next answers; null if
 * the provider does not show it or takes too long.
 */
export async function newSerial(context: RecordContext, zone: GrantedDomain): Promise<number | null> {
  const asked = refreshSoa(context, zone).then(
    (soa) => soa?.serial ?? null,
    (error: unknown) => {
      context.log.debug({ err: error, domainId: zone.id }, 'serial not read')
      return null
    },
  )
  return Promise.race([asked, sleep(PATIENCE_MS, null, { ref: false })])
}
