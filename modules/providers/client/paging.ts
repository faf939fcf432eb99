import { ProviderError, tooLarge } from '../contract.ts'

/** Items of a list, and what the provider says about all of them: the first of these that is there counts. */
interface NumberedPage<T> {
  items: T[]
  /** Of pages. */
  pages?: number | undefined
  /** Of items. */
  total?: number | undefined
}

/** More items than `max` are refused by `tooLarge`; missing: the shape of the adapter counts them. */
interface Limits {
  max?: number
}

/** A list in pages of a number; the first has the number `first` (1). Where neither count is said, the first page that is not full is the last. */
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

/** A list in parts that begin at an offset. */
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

/** A list of which each page says where the next begins (a marker, a token, an address); nothing: it is the last. */
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
    if (cursor !== undefined && known.has(cursor)) throw incomplete()
    if (cursor !== undefined) known.add(cursor)
  } while (cursor !== undefined)
}

/** The address of a relation in a Link header (RFC 8288), or null. */
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
  // Less than it says would be taken for a deletion of the rest.
  if (known && !isLast && items.length === 0) throw incomplete()
  if (isLast && total !== undefined && seen < total) throw incomplete()
  return isLast
}

function counted(seen: number, items: unknown[], max = Infinity): number {
  if (seen + items.length > max) throw tooLarge(max)
  return seen + items.length
}

const incomplete = () =>
  new ProviderError(
    'unavailable',
    'The provider answered a part of its list only; it may have been changed meanwhile',
  )
