import { api } from '../../../api/client.ts'
import type { Schemas } from '../../../api/schema.d.ts'

export interface PlannedZone {
  plan: Schemas['Plan']
  /** Records of the file that are not managed here. */
  skipped: Schemas['ZoneImport']['skipped']
  /** Plans the same anew: a kept plan is applied once, and only while it holds. */
  again: () => Promise<Schemas['Plan']>
}

/** Plans what a zone file asks for, and has the plan kept, so that just what is shown can be done. */
export async function planZone(
  id: string,
  zonefile: string,
  mode: 'merge' | 'replace',
): Promise<PlannedZone> {
  const answer = await api.POST('/api/domains/{id}/records/import', {
    path: { id },
    body: { zonefile, mode, keep: true },
  })
  // A plan alone is never an operation.
  if (!('plan' in answer)) throw new Error('The service did not plan')
  return { ...answer, again: async () => (await planZone(id, zonefile, mode)).plan }
}

/** Records as the service reads them in lines of a zone file. */
export interface ReadLines {
  records: NonNullable<Schemas['ZoneImport']['records']>
  skipped: Schemas['ZoneImport']['skipped']
}

/** Has the service read lines of a zone file for that domain; nothing is changed or kept. Rejects with their faults. */
export async function readLines(id: string, text: string, signal?: AbortSignal): Promise<ReadLines> {
  const answer = await api.POST('/api/domains/{id}/records/import', {
    path: { id },
    // Comments that only this console knows; the lines keep their numbers.
    body: { zonefile: text.replaceAll(/^\s*#.*$/gm, ''), mode: 'merge', dryRun: true, listRecords: true },
    ...(signal && { signal }),
  })
  if (!('records' in answer) || !answer.records) throw new Error('The service did not read the lines')
  return { records: answer.records, skipped: answer.skipped }
}
