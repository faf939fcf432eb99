import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http.ts'
import { notFound } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { storedNameServers, findMirror } from './queries.ts'

const MAX_WAIT_MS = 20_000

/** Asks the parent zone whose name servers it delegates to, now. */
export async function readDelegation(
  { db, dns }: Pick<RecordContext, 'db'> & { dns: Dns },
  caller: Caller,
  domainId: string,
  mirrorId: string,
) {
  const { name } = await requireDomain(db, caller, domainId, 'readAll')
  const row = await findMirror(db, domainId, mirrorId)
  if (!row) throw notFound('mirror', mirrorId)
  const domain = await storedNameServers(db, domainId)
  const mirror = row.name_servers
  const parent = await delegated(dns, name)
  const state = parent === null ? ('unknown' as const) : whose(parent, domain, mirror)
  return { state, parent: parent ?? [], domain, mirror }
}

/** The name servers at the parent; empty: it does not delegate. Null: it could not be asked. */
async function delegated(dns: Dns, name: string): Promise<string[] | null> {
  try {
    const found = await dns.delegation(name, AbortSignal.timeout(MAX_WAIT_MS))
    return (found?.servers ?? []).map((server) => server.name).sort()
  } catch (error) {
    if (error instanceof OutboundError) return null
    throw error
  }
}

/** Whose the name servers at the parent are. */
export function whose(
  parent: readonly string[],
  domain: readonly string[],
  mirror: readonly string[],
): 'none' | 'domain' | 'mirror' | 'both' | 'other' {
  const [ofDomain, ofMirror] = [new Set(domain.map(lower)), new Set(mirror.map(lower))]
  const all = (is: (name: string) => boolean) => parent.map(lower).every(is)
  if (parent.length === 0) return 'none'
  const [areDomain, areMirror] = [all((one) => ofDomain.has(one)), all((one) => ofMirror.has(one))]
  if (areDomain && areMirror) return 'both'
  if (areDomain) return 'domain'
  if (areMirror) return 'mirror'
  return all((one) => ofDomain.has(one) || ofMirror.has(one)) ? 'both' : 'other'
}

const lower = (name: string) => name.toLowerCase().replace(/\.$/, '')
