import { api, data } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'

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
  const answer = await data(
    api.POST('/api/domains/{id}/records/import', {
      params: { path: { id } },
      body: { zonefile, mode, keep: true },
    }),
  )
  // A plan alone is never an operation.
  if (!('plan' in answer)) throw new Error('The service did not plan')
  return { ...answer, again: async () => (await planZone(id, zonefile, mode)).plan }
}
