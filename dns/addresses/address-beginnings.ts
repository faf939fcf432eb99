import { readIpv6 } from './addresses.ts'

/** First and last address. */
type Range = [first: string, last: string]

/**
 * Address ranges whose text starts with this prefix: `192.0.2`, `192.0.2.`, `2001:db8:1`. Several ranges,
 * since `192.0.2` matches 192.0.2.1 and 192.0.20.1; IPv4 also matches within IPv6 (`::ffff:192.0.2.1`). Empty
 * for anything else.
 */
export function addressesBeginning(text: string): Range[] {
  if (/^\d{1,3}(?:\.\d{1,3}){0,2}(?:\.\d{0,3})$/.test(text)) {
    const ranges = rangesOf(text.split('.'), { groups: 4, base: 10, largest: 255 })
    const four = ranges.map(([first, last]): Range => [first.join('.'), last.join('.')])
    return [...four, ...four.map(([first, last]): Range => [`::ffff:${first}`, `::ffff:${last}`])]
  }
  if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){1,7}$/.test(text)) return []
  const given = text.endsWith('::') ? text.slice(0, -1).split(':') : text.split(':')
  if (given.slice(0, -1).includes('')) return []
  return rangesOf(given, { groups: 8, base: 16, largest: 0xffff }).map(([first, last]) => [
    readIpv6(first.map(hex).join(':')) ?? '::',
    readIpv6(last.map(hex).join(':')) ?? '::',
  ])
}

const hex = (group: number) => group.toString(16)

/** The last group is a prefix; any group matches if it is empty. */
function rangesOf(
  given: string[],
  { groups, base, largest }: { groups: number; base: number; largest: number },
): [number[], number[]][] {
  const whole = given.slice(0, -1).map((group) => parseInt(group, base))
  const begun = given.at(-1) ?? ''
  if (given.length > groups || whole.some((group) => group > largest)) return []
  const rest = groups - given.length
  return groupsBeginning(begun, base, largest).map(([low, high]) => [
    [...whole, low, ...Array.from({ length: rest }, () => 0)],
    [...whole, high, ...Array.from({ length: rest }, () => largest)],
  ])
}

/** `2` of 255 at most: 2, 20 to 29, 200 to 255. */
function groupsBeginning(text: string, base: number, largest: number): [number, number][] {
  if (text === '') return [[0, largest]]
  const ranges: [number, number][] = []
  // A leading zero matches only zero itself.
  const value = parseInt(text, base)
  for (let width = 1; value * width <= largest; width *= base) {
    ranges.push([value * width, Math.min(largest, value * width + width - 1)])
    if (value === 0) break
  }
  return ranges
}
