/**
 * Distinguishes several RRsets of one name and type at providers that answer by line, weight or region. `key`
 * is its identity; the rest is for display.
 */
export interface Routing {
  key: string
  line?: string
  weight?: number
  setIdentifier?: string
  region?: string
}

/** The properties that all records of an RRset share (RFC 2181 section 5). The name is in lower case. */
export interface RRsetKey {
  name: string
  type: string
  routing?: Pick<Routing, 'key'> | null | undefined
}

/** Key that identifies an RRset of a zone in maps and sets. */
export const rrsetKey = ({ name, type, routing }: RRsetKey): string =>
  routing ? `${type} ${name}\0${routing.key}\0` : `${type} ${name}`

/** Key that identifies a value across all RRsets of a zone; `value` is canonical. */
export const memberKey = (member: RRsetKey & { value: string }): string =>
  `${rrsetKey(member)} ${member.value}`
