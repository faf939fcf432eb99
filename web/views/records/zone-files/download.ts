import { api } from '../../../api/client.ts'
import { download } from '../../../ui/download.ts'

/** Returns the zone as a master file. */
export const zoneText = (domainId: string): Promise<string> =>
  api.GET('/api/domains/{id}/records/export', { path: { id: domainId } })

export async function downloadZone({ id, name }: { id: string; name: string }): Promise<void> {
  download(`${name}.zone`, await zoneText(id), 'text/dns')
}
