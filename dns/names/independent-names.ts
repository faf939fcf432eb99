/**
 * Groups that can be written at the same time: those of the same owner name keep their order, because a CNAME has to go
 * before other types come. One group if an edit decides what other names may hold: NS and DNAME (RFC 1034 section 4.2.1, RFC
 * 6672 section 2.4).
 */
export function independentGroups<T>(items: readonly T[], editsOf: (item: T) => readonly Owner[]): T[][] {
  if (items.some((item) => editsOf(item).some(({ type }) => type === 'NS' || type === 'DNAME')))
    return [[...items]]
  return [...Map.groupBy(items, (item) => editsOf(item)[0]?.name).values()]
}

interface Owner {
  name: string
  type: string
}
