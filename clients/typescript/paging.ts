/** The page to read; goes into the query of a list together with your own filters. */
export interface PagePosition {
  cursor?: string
  page?: number
}

/** The fields of a list besides its rows; lists without a cursor have page numbers. */
interface ListEnvelope {
  nextCursor?: string | null
  page?: number
  limit?: number
  total?: number
}

/**
 * Iterates over the rows of all pages of a list, with one page in memory at a time:
 *
 *   const read = (page: PagePosition) => dns.GET('/api/v1/domains', { query: { limit: 100, ...page } })
 *   for await (const domain of every('domains', read)) …
 */
export async function* every<Member extends string, Row>(
  member: Member,
  read: (position: PagePosition) => Promise<ListEnvelope & Record<Member, Row[]>>,
): AsyncGenerator<Row, void> {
  for (let position: PagePosition | null = {}; position;) {
    const page: ListEnvelope & Record<Member, Row[]> = await read(position)
    yield* page[member]
    position = after(page)
  }
}

function after({ nextCursor, page, limit, total }: ListEnvelope): PagePosition | null {
  if (nextCursor !== undefined) return nextCursor === null ? null : { cursor: nextCursor }
  if (page === undefined || limit === undefined || total === undefined) return null
  return page * limit < total ? { page: page + 1 } : null
}
