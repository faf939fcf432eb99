/**
 * Which of some things go with those of `start`: those at one of their places, and so on by the places that these have.
 * `places`: of each thing.
 */
export function goingWith(places: readonly (readonly string[])[], start: Iterable<number>): Set<number> {
  const byPlace = new Map<string, number[]>()
  for (const [index, some] of places.entries()) {
    for (const place of some) {
      const there = byPlace.get(place) ?? []
      there.push(index)
      byPlace.set(place, there)
    }
  }
  const going = new Set(start)
  for (const index of going) {
    for (const place of places[index] ?? []) {
      for (const other of byPlace.get(place) ?? []) going.add(other)
      // Each place is looked at once.
      byPlace.delete(place)
    }
  }
  return going
}
