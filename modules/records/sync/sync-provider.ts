import { memberKey } from '../../../dns/names/rrset.ts'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import {
  ProviderError,
  type RRset,
  type Soa,
  type UnmanagedRecord,
  type Zone,
} from '../../providers/contract.ts'
import type { RecordContent } from '../plan/change.ts'
import { contentOfMember } from '../apply/provider/provider-contents.ts'

/** The records at the provider, by identity. The adapter limits their number. */
export interface ProviderRecords {
  records: Map<string, Found>
  total: number
  unmanaged: UnmanagedRecord[]
  /** Null if the provider doesn't list it with the records. */
  soa: Soa | null
}

export interface Found {
  content: RecordContent
  providerId: string | null
  /** Whether the provider stores comments. */
  keepsComment: boolean
}

export async function readProvider(connection: ProviderConnection, zone: Zone): Promise<ProviderRecords> {
  return connection.call(async (adapter) => {
    const found: ProviderRecords = { records: new Map(), total: 0, unmanaged: [], soa: null }
    for await (const page of adapter.listRRsets(zone)) {
      for (const record of page.unmanaged) found.unmanaged.push(record)
      found.soa ??= page.soa ?? null
      for (const rrset of page.rrsets) {
        found.total += rrset.members.length
        for (const [key, member] of foundIn(rrset)) found.records.set(key, member)
      }
    }
    await refuseCrowdedCname(found)
    return found
  })
}

/** Returns the members of an RRset by identity. */
export const foundIn = (rrset: RRset): [string, Found][] =>
  rrset.members.map((member) => {
    const content = contentOfMember(rrset, member)
    const providerId = member.providerId ?? null
    const key = providerId === null ? memberKey(content) : idKey(providerId)
    return [key, { content, providerId, keepsComment: member.comment !== undefined }]
  })

/** Reads the SOA for exports; null if the provider does not show it or fails. */
export async function readZoneSoa(connection: ProviderConnection, zone: Zone): Promise<Soa | null> {
  try {
    return (await connection.call(async (adapter) => adapter.readSoa?.(zone))) ?? null
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

/** Rejects a zone with a CNAME and other enabled records at one name, which can't be stored. */
async function refuseCrowdedCname({ records }: ProviderRecords): Promise<void> {
  const served = new Map<string, number>()
  const cnames = new Map<string, string>()
  await inSlices(records.values(), ({ content: { name, type, enabled, routing } }) => {
    if (!enabled) return
    const place = `${name} ${routing?.key ?? ''}`
    served.set(place, (served.get(place) ?? 0) + 1)
    if (type === 'CNAME') cnames.set(place, name)
  })
  for (const [place, name] of cnames) {
    if (served.get(place) === 1) continue
    throw new ProviderError(
      'rejected',
      `The provider holds a CNAME and other records at ${name}, which is not valid (RFC 2181, 10.1)`,
    )
  }
}

export const idKey = (providerId: string) => `id ${providerId}`
