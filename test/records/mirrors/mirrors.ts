import { until } from '../../helpers/until.ts'
import type { Zone } from '../../helpers/zone.ts'

export interface ReadMirror {
  id: string
  state: 'in_step' | 'behind' | 'failed' | 'differs'
  behind: number
  error: string | null
  errorCode: string | null
  nextTry: string | null
  differences: number | null
  findings: { name: string; recordType: string; code: string; missing: boolean }[]
}

/** Ways to look at the mirrors of a domain, and to wait for them. */
export function mirrorsOf({
  admin,
  domainId,
  database: { db },
}: Pick<Zone, 'admin' | 'domainId' | 'database'>) {
  const read = async (id: string): Promise<ReadMirror> =>
    (await admin.get(`/api/domains/${domainId}/mirrors/${id}`)).body
  const reaches = (id: string, state: ReadMirror['state']) =>
    until(`mirror ${state}`, async () => {
      const mirror = await read(id)
      return mirror.state === state && mirror
    })
  return {
    read,
    reaches,
    inStep: (id: string) => reaches(id, 'in_step'),
    /** Ends the pauses after failures. */
    async retry(id: string, configId: string) {
      await admin.post(`/api/provider-configs/${configId}/test`)
      await db
        .updateTable('mirrors')
        .set({ due_at: new Date(0) })
        .where('id', '=', id)
        .execute()
    },
  }
}
