/* Names of SRV records (RFC 2782), of which some providers hold each part by itself. */

export interface ServiceName {
  /** With their underscores. */
  service: string
  protocol: string
  /** What they are of, relative to the zone; `@` for the apex. */
  name: string
}

/** Null of a name that has not both. */
export function splitService(owner: string): ServiceName | null {
  const [, service, protocol, name = '@'] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(owner) ?? []
  return service === undefined || protocol === undefined ? null : { service, protocol, name }
}

export const joinService = ({ service, protocol, name }: ServiceName): string =>
  [service, protocol, ...(name === '@' || name === '' ? [] : [name])].join('.')
