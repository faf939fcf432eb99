/** What the records of one RRset have in common (RFC 2181 section 5). The name in lower case. */
export interface RRsetKey {
  name: string
  type: string
}

/** Tells the RRsets of a zone apart, in maps and sets. */
export const rrsetKey = ({ name, type }: RRsetKey): string => `${type} ${name}`

/** Tells the values in all RRsets of a zone apart; `value` is canonical. */
export const memberKey = (member: RRsetKey & { value: string }): string =>
  `${rrsetKey(member)} ${member.value}`
