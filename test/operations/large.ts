import { v7 as uuidv7 } from 'uuid'
import type { Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import type { Zone } from '../helpers/zone.ts'

/** Changes that a request of these tests does itself. */
export const LARGE = 5

/** A zone file of so many A records. */
export const zonefile = (count: number, prefix = 'w', suffix = '') =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}${suffix} A 192.0.2.1`).join('\n')

export const importFile = ({ url, admin }: Zone, file: string, client: Client = admin, more: object = {}) =>
  client.post(`${url}/import`, { zonefile: file, ...more })

/** The operation when it is over. */
export const finished = (client: Client, id: string) =>
  until('the end of the operation', async () => {
    const { body } = await client.get(`/api/operations/${id}`)
    return body.outcome !== null && body
  })

/** Asks for an import that is large, and answers how it ended. */
export async function imported(zone: Zone, file: string) {
  const { body } = await importFile(zone, file)
  return finished(zone.admin, body.operation.id)
}

/** Nobody does the operations of the zone until the answer is called: as if another instance was at work on them. */
export async function keepWaiting({ database: { db }, domainId }: Zone): Promise<() => Promise<unknown>> {
  const until = new Date(Date.now() + 3_600_000)
  const lease = { kind: 'operation', subject: domainId, holder: uuidv7(), until }
  await db.insertInto('leases').values(lease).execute()
  return () => db.deleteFrom('leases').where('subject', '=', domainId).execute()
}
