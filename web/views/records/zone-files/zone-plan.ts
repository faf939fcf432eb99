import { api } from '../../../api/client.ts'
import type { Schemas } from '../../../api/schema.d.ts'

export interface PlannedZone {
  plan: Schemas['Plan']
  /** Unmanaged records of the file. */
  skipped: Schemas['ZoneImport']['skipped']
  /** Plans again: a kept plan is applied once, and only while it is current. */
  again: () => Promise<Schemas['Plan']>
}

/** Plans a zone file and has the plan kept, so that exactly it can be applied. */
export async function planZone(
  id: string,
  zonefile: string,
  mode: 'merge' | 'replace',
): Promise<PlannedZone> {
  const answer = await api.POST('/api/domains/{id}/records/import', {
    path: { id },
    body: { zonefile, mode, keep: true },
  })
  // A plan never becomes an operation.
  if (!('plan' in answer)) throw new Error('The service did not plan')
  return { ...answer, again: async () => (await planZone(id, zonefile, mode)).plan }
}

/** Records parsed from zone file lines. */
export interface ReadLines {
  records: NonNullable<Schemas['ZoneImport']['records']>
  skipped: Schemas['ZoneImport']['skipped']
}

/** Has the service parse zone file lines of a domain, without storing anything. Rejects with their errors. */
export async function readLines(id: string, text: string, signal?: AbortSignal): Promise<ReadLines> {
  const answer = await api.POST('/api/domains/{id}/records/import', {
    path: { id },
    // Comments that only the console understands; the lines keep their numbers.
    body: { zonefile: text.replaceAll(/^\s*#.*$/gm, ''), mode: 'merge', dryRun: true, listRecords: true },
    ...(signal && { signal }),
  })
  if (!('records' in answer) || !answer.records) throw new Error('The service did not read the lines')
  return { records: answer.records, skipped: answer.skipped }
}
