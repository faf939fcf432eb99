import type { Installation } from './installation.ts'

export const LINK_LABEL = 'Open in Zonekeeper'

/** Where the domain that an event tells of is looked at; null when it tells of none, or of one that is gone. */
export function domainLink(
  { event, metadata }: { event: string; metadata: object },
  { url }: Pick<Installation, 'url'>,
): string | null {
  if (event === 'domain.deleted' || !('domainId' in metadata)) return null
  return `${url}/domains/${String(metadata.domainId)}`
}
