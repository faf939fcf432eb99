/** Labels of a WHOIS response in lower case, with their values in order. */
export type Fields = Map<string, string[]>

const COMMENT = /^(%|#|>>>)/
/** `[Expires on]   2020/05/31`, also `p. [Name Server]   ns1.example.jp`. */
const BRACKETS = /^(?:[a-z]\.\s{1,9})?\[([^\]]{1,60})\]\s*(.*)$/i
/** `Expiry Date: …`, `expires............: …`; not an address or time, whose colons mean nothing. */
const COLON = /^([^\d:[\]][^:[\]]{0,59}?)[\s.]{0,60}:(?:\s+(.*))?$/
/** `Record expires on 2020-05-23`, without a colon. */
const SENTENCE = /^(record (?:will )?expires? on):?\s+(.+)$/i

/**
 * Reads `label: value` lines in all formats that registries use. Lines without a label belong to the label or heading
 * above, up to a blank line; labels below a heading are also stored as `heading/label`.
 */
export function readFields(text: string): Fields {
  const fields: Fields = new Map()
  const add = (label: string, value: string) => {
    const values = fields.get(label) ?? []
    fields.set(label, values)
    if (value !== '') values.push(value)
  }
  /** The label that lines without a label belong to. */
  let open: string | null = null
  let heading: string | null = null
  for (const line of text.split(/\r?\n|\r/)) {
    // Trimmed first, because blanks would make the patterns backtrack.
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
