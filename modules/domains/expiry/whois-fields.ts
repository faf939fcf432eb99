/** The labels of a WHOIS answer, in lower case, with their values in order. */
export type Fields = Map<string, string[]>

const COMMENT = /^\s*(%|#|>>>)/
/** `[Expires on]   2020/05/31`, also `p. [Name Server]   ns1.example.jp`. */
const BRACKETS = /^\s*(?:[a-z]\.\s+)?\[([^\]]{1,60})\]\s*(.*)$/i
/** `Expiry Date: …`, `expires............: …`. */
const COLON = /^\s*([^:[\]]{1,60}?)[\s.]*:(?:\s+(.*))?$/
/** `Record expires on 2020-05-23`, which needs no colon. */
const SENTENCE = /^\s*(record (?:will )?expires? on):?\s+(.+)$/i

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
    if (COMMENT.test(line)) continue
    const trimmed = line.trim()
    const indented = /^\s/.test(line)
    if (trimmed === '') open = heading = null
    else {
      const match = SENTENCE.exec(line) ?? BRACKETS.exec(line) ?? labelled(line)
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

/** Not an address or a time, whose colons mean nothing. */
function labelled(line: string): RegExpExecArray | null {
  const match = COLON.exec(line)
  return match && !/^\s*\d/.test(line) ? match : null
}
