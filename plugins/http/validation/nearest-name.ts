/** Characters that are compared: our names are shorter. */
const MAX_LENGTH = 40

/** The known name that a person most likely meant; null where none is known. */
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

/** Neither case nor `_` and `-` make another name: dryrun and dry_run are dryRun. */
const plain = (name: string) => name.slice(0, MAX_LENGTH).toLowerCase().replace(/[_-]/g, '')

/** How many letters differ or are swapped (Damerau and Levenshtein); a name within a longer one, such as type in recordType, is close. */
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
