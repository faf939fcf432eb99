import { absoluteName } from '../../../dns/names/names.ts'
import { writeName } from '../../../dns/wire/wire-name.ts'
import { writeSoa } from '../../../dns/zone-file/soa.ts'
import { takeSlices } from '../../../plugins/http/event-loop.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import { recordScopeOf, seesAllRecords, type GrantedDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../../records/service.ts'
import { servedRows } from './queries.ts'
import { contentOf } from './zone-view.ts'

/** Returns the published records that the caller sees as lines of a master file with absolute names, the SOA first. */
export async function exportZone(
  { db }: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
): Promise<string> {
  const scope = recordScopeOf(zone, caller)
  const rows = (await servedRows(db, zone.id, scope)).filter(({ enabled }) => enabled)
  const { soa, name, default_ttl: usual } = zone
  const lines = soa && seesAllRecords(scope) ? [lineOf('@', soa.ttl, 'SOA', writeSoa(soa))] : []
  const slice = takeSlices()
  for (const row of rows) {
    lines.push(lineOf(row.name, row.ttl ?? usual, row.type, contentOf(row)))
    await slice()
  }
  await recordAudit(db, caller, {
    action: 'domain.exported',
    target: { type: 'domain', id: zone.id, name },
    after: { format: 'bind', records: rows.length },
  })
  return lines.join('')

  function lineOf(owner: string, ttl: number, type: string, content: string): string {
    return `${writeName(absoluteName(owner, name))}\t${ttl}\tIN\t${type}\t${content}\n`
  }
}
