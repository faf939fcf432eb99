/** Which page to read: given on to a list beside filters of your own. */
export interface Place {
  cursor?: string
  page?: number
}

/** What lists say beside their rows; those without a cursor are numbered. */
interface Envelope {
  nextCursor?: string | null
  page?: number
  limit?: number
  total?: number
}

/**
 * The rows of all pages of a list, one page in memory at a time:
 *
 *   for await (const record of every('records', (place) => dns.listRecords(id, { limit: 200, ...place })))
 */
export async function* every<Member extends string, Row>(
  member: Member,
  read: (place: Place) => Promise<Envelope & Record<Member, Row[]>>,
): AsyncGenerator<Row, void> {
  for (let place: Place | null = {}; place;) {
    const page: Envelope & Record<Member, Row[]> = await read(place)
    yield* page[member]
    place = after(page)
  }
}

function after({ nextCursor, page, limit, total }: Envelope): Place | null {
  if (nextCursor !== undefined) return nextCursor === null ? null : { cursor: nextCursor }
  if (page === undefined || limit === undefined || total === undefined) return null
  return page * limit < total ? { page: page + 1 } : null
}
