/** A small seeded generator (mulberry32): the same values in every run, so a failure can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to `below` - 1. */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }

  pick<T>(from: ArrayLike<T>): T {
    return from[this.int(from.length)] as T
  }

  text(alphabet: ArrayLike<string>, min: number, max: number): string {
    const length = min + this.int(max - min + 1)
    return Array.from({ length }, () => this.pick(alphabet)).join('')
  }
}

export const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789'
const LABELS = ['bücher', '例え', 'xn--n3h', 'MAIL', 'a-b', 'straße', 'ns1', '1']
export function hostName(random: Random, underscore = false): string {
  const labels = Array.from({ length: 1 + random.int(3) }, () =>
    random.int(4) === 0 ? random.pick(LABELS) : random.text(LETTERS, 1, random.int(10) === 0 ? 63 : 12),
  )
  const prefix = underscore && random.int(2) === 0 ? '_' : ''
  return `${prefix}${labels.join('.')}.${random.pick(['com', 'Example', 'co.uk', 'рф'])}${random.pick(['', '.'])}`
}

export function ipv6(random: Random): string {
  const groups = Array.from({ length: 8 }, () =>
    random.int(2) === 0 ? '0' : random.text('0123456789aBcDeF', 1, 4),
  )
  if (random.int(8) === 0) return `::${random.pick(['', 'ffff:', 'FFFF:', '64:'])}192.0.2.${random.int(256)}`
  return groups.join(':')
}
