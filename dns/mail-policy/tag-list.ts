/** A `tag=value` list separated by semicolons, the form of DKIM and DMARC (RFC 6376 section 3.2). */
interface TagList {
  /** The first value of each tag, trimmed, in order of appearance. Tag names are case-sensitive. */
  tags: Map<string, string>
  /** Parts without `=`, and repeated tags. */
  malformed: string[]
  repeated: string[]
}

export function parseTagList(text: string): TagList {
  const list: TagList = { tags: new Map(), malformed: [], repeated: [] }
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    const tag = part.slice(0, Math.max(at, 0)).trim()
    if (tag === '') list.malformed.push(part.trim())
    else if (list.tags.has(tag)) list.repeated.push(tag)
    else list.tags.set(tag, part.slice(at + 1).trim())
  }
  return list
}
