/**
 * Which of several sets of one name and type, where a provider has such: it answers with one of them by line, weight
 * or region. `key` is its identity, the rest is what people see of it.
 */
export interface Routing {
  key: string
  line?: string
  weight?: number
  setIdentifier?: string
  region?: string
}

/** What the records of one RRset have in common (RFC 2181 section 5). The name in lower case. */
export interface RRsetKey {
  name: string
  type: string
  routing?: Pick<Routing, 'key'> | null | undefined
}

/** Tells the RRsets of a zone apart, in maps and sets. */
export const rrsetKey = ({ name, type, routing }: RRsetKey): string =>
  routing ? `${type} ${name}\0${routing.key}\0` : `${type} ${name}`

/** Tells the values in all RRsets of a zone apart; `value` is canonical. */
export const memberKey = (member: RRsetKey & { value: string }): string =>
  `${rrsetKey(member)} ${member.value}`
