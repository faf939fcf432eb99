import type { Installation } from '../installation.ts'

export const LINK_LABEL = 'Open in Zonekeeper'

/** The domain that an event is about; null when it is about none, or about many. */
export const domainIdOf = (metadata: object): string | null =>
  'domainId' in metadata && typeof metadata.domainId === 'string' ? metadata.domainId : null

/** Where the domain that an event is about is looked at; null when there is none, or it is gone. */
export function domainLink(
  { event, metadata }: { event: string; metadata: object },
  { url }: Pick<Installation, 'url'>,
): string | null {
  const id = domainIdOf(metadata)
  return id === null || event === 'domain.deleted' ? null : `${url}/domains/${id}`
}
