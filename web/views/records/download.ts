import { api } from '../../api/client.ts'
import { download } from '../../ui/download.ts'

/** The zone as a master file. */
export async function zoneText(domainId: string): Promise<string> {
  const { data } = await api.GET('/api/domains/{id}/records/export', {
    params: { path: { id: domainId } },
    parseAs: 'text',
  })
  return data ?? ''
}

export async function downloadZone({ id, name }: { id: string; name: string }): Promise<void> {
  download(`${name}.zone`, await zoneText(id), 'text/dns')
}
