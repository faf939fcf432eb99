import { IncompleteList, tooLarge } from '../contract.ts'

/** Items of a list, and the total the provider reports: the first one present is used. */
interface NumberedPage<T> {
  items: T[]
  /** Number of pages. */
  pages?: number | undefined
  /** Number of items. */
  total?: number | undefined
}

/** More items than `max` are refused with `tooLarge`; missing: the adapter's shape counts them. */
interface Limits {
  max?: number
}

/**
 * A list in numbered pages, starting at `first` (1). Without a total, the first page that is not full is the
 * last.
 */
export async function* byNumber<T>(
  read: (page: number) => Promise<NumberedPage<T>>,
  { size, first = 1, max }: { size: number; first?: number } & Limits,
): AsyncGenerator<T[]> {
  let seen = 0
  for (let index = 0; ; index++) {
    const { items, pages, total } = await read(first + index)
    seen = counted(seen, items, max)
    const isLast = isEnd({ items, pages, total, seen, size, index })
    if (items.length > 0 || isLast) yield items
    if (isLast) return
  }
}

/** A list in pages by offset. */
export async function* byOffset<T>(
  read: (offset: number) => Promise<Omit<NumberedPage<T>, 'pages'>>,
  { size, max }: { size: number } & Limits,
): AsyncGenerator<T[]> {
  let seen = 0
  for (let index = 0; ; index++) {
    const { items, total } = await read(seen)
    seen = counted(seen, items, max)
    const isLast = isEnd({ items, pages: undefined, total, seen, size, index })
    if (items.length > 0 || isLast) yield items
    if (isLast) return
  }
}

/** A list whose pages contain the start of the next (a marker, a token, a URL); nothing on the last. */
export async function* byCursor<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next: string | null | undefined }>,
  { max }: Limits = {},
): AsyncGenerator<T[]> {
  const known = new Set<string>()
  let cursor: string | undefined
  let seen = 0
  do {
    const { items, next } = await read(cursor)
    seen = counted(seen, items, max)
    yield items
    cursor = next === null || next === '' ? undefined : next
    if (cursor !== undefined && known.has(cursor)) throw new IncompleteList()
    if (cursor !== undefined) known.add(cursor)
  } while (cursor !== undefined)
}

/** Returns the URL of a relation in a Link header (RFC 8288), or null. */
export function linkOf(header: string | undefined, relation: string): string | null {
  for (const [, address = '', parameters = ''] of (header ?? '').matchAll(
    /<([^<>]*)>((?:[^,"]|"[^"]*")*)/g,
  )) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(parameters) ?? []
    if ((quoted ?? plain ?? '').toLowerCase().split(/\s+/).includes(relation)) return address
  }
  return null
}

function isEnd({
  items,
  pages,
  total,
  seen,
  size,
  index,
}: {
  items: unknown[]
  pages: number | undefined
  total: number | undefined
  seen: number
  size: number
  index: number
}): boolean {
  const known = pages !== undefined || total !== undefined
  const isLast =
    pages !== undefined ? index + 1 >= pages : total !== undefined ? seen >= total : items.length < size
  // A short list would be treated as a deletion of the rest.
  if (known && !isLast && items.length === 0) throw new IncompleteList()
  if (isLast && total !== undefined && seen < total) throw new IncompleteList()
  return isLast
}

function counted(seen: number, items: unknown[], max = Infinity): number {
  if (seen + items.length > max) throw tooLarge(max)
  return seen + items.length
}
