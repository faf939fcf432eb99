/** Compared characters; all known names are shorter. */
const MAX_LENGTH = 40

/** Returns the known name closest to the given one; null if none are known. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const name = plain(given)
  let nearest: string | null = null
  let least = Infinity
  for (const one of known) {
    const distance = distanceBetween(name, plain(one))
    if (distance >= least) continue
    least = distance
    nearest = one
  }
  return nearest
}

/** Ignores case, `_` and `-`: dryrun and dry_run equal dryRun. */
const plain = (name: string) => name.slice(0, MAX_LENGTH).toLowerCase().replace(/[_-]/g, '')

/** Damerau-Levenshtein distance; 1 where one name contains the other, such as type in recordType. */
function distanceBetween(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length > 2 && short !== long && long.includes(short)) return 1
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity
      row.push(Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}
