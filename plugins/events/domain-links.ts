import type { Installation } from '../installation.ts'

export const LINK_LABEL = 'Open in Zonekeeper'

/** The domain that an event is about; null if none or several. */
export const domainIdOf = (metadata: object): string | null =>
  'domainId' in metadata && typeof metadata.domainId === 'string' ? metadata.domainId : null

/** The console URL of the domain that an event is about; null without a domain or if it was deleted. */
export function domainLink(
  { event, metadata }: { event: string; metadata: object },
  { url }: Pick<Installation, 'url'>,
): string | null {
  const id = domainIdOf(metadata)
  return id === null || event === 'domain.deleted' ? null : `${url}/domains/${id}`
}
