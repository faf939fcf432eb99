import { priorityOf } from '../../dns/presentation.ts'
import { memberKey } from '../../dns/rrset.ts'
import type { DomainRow } from '../domains/access.ts'
import { zoneOf } from '../domains/service.ts'
import type { ProviderConnection } from '../providers/connection.ts'
import { ProviderError, type Member, type UnmanagedRecord } from '../providers/contract.ts'
import type { RecordContent } from './change.ts'

/** What the provider holds, by identity; bounded by what its adapter takes as an answer. */
export interface ProviderRecords {
  records: Map<string, Found>
  total: number
  unmanaged: UnmanagedRecord[]
}

export interface Found {
  content: RecordContent
  providerId: string | null
}

export async function readProvider(
  connection: ProviderConnection,
  domain: DomainRow,
): Promise<ProviderRecords> {
  return connection.call(async (adapter) => {
    const found: ProviderRecords = { records: new Map(), total: 0, unmanaged: [] }
    for await (const page of adapter.listRRsets(zoneOf(domain))) {
      for (const record of page.unmanaged) found.unmanaged.push(record)
      for (const { name, type, ttl, members } of page.rrsets) {
        for (const member of members) {
          found.total++
          const content = { name, type, ttl, ...memberContent(type, member) }
          const providerId = member.providerId ?? null
          found.records.set(providerId === null ? memberKey(content) : idKey(providerId), {
            content,
            providerId,
          })
        }
      }
    }
    refuseCrowdedCname(found)
    return found
  })
}

/** Such a zone can't be served, and can't be stored; disabled records are in nobody's way. */
function refuseCrowdedCname({ records }: ProviderRecords): void {
  const served = [...records.values()].filter(({ content }) => content.enabled)
  const byName = Map.groupBy(served, ({ content }) => content.name)
  for (const [name, found] of byName) {
    if (found.length === 1 || !found.some(({ content }) => content.type === 'CNAME')) continue
    throw new ProviderError(
      'rejected',
      `The provider holds a CNAME beside other records at ${name}, which no zone may have (RFC 2181, 10.1)`,
    )
  }
}

const memberContent = (type: RecordContent['type'], { value, proxied, disabled }: Member) => ({
  value,
  priority: priorityOf(type, value),
  proxied: proxied ?? false,
  enabled: disabled !== true,
  comment: '',
})

export const idKey = (providerId: string) => `id ${providerId}`
