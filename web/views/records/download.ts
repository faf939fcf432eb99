import { api } from '../../api/client.ts'

/** Gives a text to the browser as a file. */
export function download(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

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
