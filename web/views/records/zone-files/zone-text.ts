import { api } from '../../../api/client.ts'
import { download } from '../../../ui/download.ts'
import type { Fields } from '../model.ts'

/** Returns the zone as a master file. */
export const zoneText = (domainId: string): Promise<string> =>
  api.GET('/api/domains/{id}/records/export', { path: { id: domainId } })

export async function downloadZone({ id, name }: { id: string; name: string }): Promise<void> {
  download(`${name}.zone`, await zoneText(id), 'text/dns')
}

/** A record as a zone file line with absolute names. */
export function asZoneLine({ name, recordType, value, ttl }: Fields, domain: string): string {
  const owner = name === '@' ? `${domain}.` : `${name}.${domain}.`
  const shown = recordType === 'TXT' ? quoted(value) : value
  return [owner, ...(ttl ? [String(ttl)] : []), 'IN', recordType, shown].join('\t')
}

/** In strings of at most 255 bytes (RFC 1035 section 3.3.14). */
function quoted(value: string): string {
  const pieces = value.match(/[\s\S]{1,255}/gu) ?? ['']
  return pieces.map((piece) => `"${piece.replaceAll(/(["\\])/g, '\\$1')}"`).join(' ')
}
