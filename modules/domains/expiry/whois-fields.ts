/** The labels of a WHOIS answer, in lower case, with their values in order. */
export type Fields = Map<string, string[]>

const COMMENT = /^(%|#|>>>)/
/** `[Expires on]   2020/05/31`, also `p. [Name Server]   ns1.example.jp`. */
const BRACKETS = /^(?:[a-z]\.\s{1,9})?\[([^\]]{1,60})\]\s*(.*)$/i
/** `Expiry Date: …`, `expires............: …`; no address or time, whose colons mean nothing. */
const COLON = /^([^\d:[\]][^:[\]]{0,59}?)[\s.]{0,60}:(?:\s+(.*))?$/
/** `Record expires on 2020-05-23`, which needs no colon. */
const SENTENCE = /^(record (?:will )?expires? on):?\s+(.+)$/i

/**
 * Reads the lines `label: value` of an answer in all the shapes that registries have. Lines without a label
 * belong to the label (or the heading) above them until a blank line; labels below a heading are also there
 * as `heading/label`.
 */
export function readFields(text: string): Fields {
  const fields: Fields = new Map()
  const add = (label: string, value: string) => {
    const values = fields.get(label) ?? []
    fields.set(label, values)
    if (value !== '') values.push(value)
  }
  /** Whose values lines without a label are. */
  let open: string | null = null
  let heading: string | null = null
  for (const line of text.split(/\r?\n|\r/)) {
    // Trimmed before it is matched: patterns must not be made to try again and again on a line of blanks.
    const trimmed = line.trim()
    if (COMMENT.test(trimmed)) continue
    const indented = /^\s/.test(line)
    if (trimmed === '') open = heading = null
    else {
      const match = SENTENCE.exec(trimmed) ?? BRACKETS.exec(trimmed) ?? COLON.exec(trimmed)
      if (match) {
        const label = (match[1] ?? '').trim().toLowerCase()
        const value = (match[2] ?? '').trim()
        if (!indented) heading = null
        if (heading !== null) add(`${heading}/${label}`, value)
        add(label, value)
        if (value === '') open = label
        else if (!indented) open = null
      } else if (indented && open !== null) add(open, trimmed)
      else if (!indented) open = heading = trimmed.toLowerCase()
    }
  }
  return fields
}
