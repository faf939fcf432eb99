import { priorityOf } from '../../dns/types/index.ts'
import { memberKey } from '../../dns/rrset.ts'
import { inSlices } from '../../plugins/event-loop.ts'
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
    await refuseCrowdedCname(found)
    return found
  })
}

/** Such a zone can't be served, and can't be stored; disabled records are in nobody's way. */
async function refuseCrowdedCname({ records }: ProviderRecords): Promise<void> {
  const served = new Map<string, number>()
  const cnames = new Set<string>()
  await inSlices(records.values(), ({ content: { name, type, enabled } }) => {
    if (!enabled) return
    served.set(name, (served.get(name) ?? 0) + 1)
    if (type === 'CNAME') cnames.add(name)
  })
  for (const name of cnames) {
    if (served.get(name) === 1) continue
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
