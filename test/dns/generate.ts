import { RECORD_TYPES, type RecordType } from '../../schemas/record-type.ts'

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

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789'
const LABELS = ['bücher', '例え', 'xn--n3h', 'MAIL', 'a-b', 'straße', 'ns1', '1']
// What quoting and escaping can get wrong: quotes, backslashes, digits after them, comments, other scripts.
const HARD = [
  ' ',
  '\t',
  '"',
  '\\',
  ';',
  '(',
  ')',
  '@',
  '$',
  ',',
  '0',
  '9',
  'z',
  '~',
  '\u00a0',
  'é',
  '漢',
  '😀',
  '\\"',
  '\\123',
  '" "',
  '""',
  '\ufeff',
  '\u200d',
]

function hostName(random: Random, underscore = false): string {
  const labels = Array.from({ length: 1 + random.int(3) }, () =>
    random.int(4) === 0 ? random.pick(LABELS) : random.text(LETTERS, 1, random.int(10) === 0 ? 63 : 12),
  )
  const prefix = underscore && random.int(2) === 0 ? '_' : ''
  return `${prefix}${labels.join('.')}.${random.pick(['com', 'Example', 'co.uk', 'рф'])}${random.pick(['', '.'])}`
}

function ipv6(random: Random): string {
  const groups = Array.from({ length: 8 }, () =>
    random.int(2) === 0 ? '0' : random.text('0123456789aBcDeF', 1, 4),
  )
  if (random.int(8) === 0) return `::${random.pick(['', 'ffff:', 'FFFF:', '64:'])}192.0.2.${random.int(256)}`
  return groups.join(':')
}

function txt(random: Random): string {
  const text = random.text(HARD, 1, random.pick([3, 12, 300]))
  const byte = () => `\\${String(random.int(256)).padStart(3, '0')}`
  switch (random.int(4)) {
    case 0:
      return `"${text}"`
    case 1:
      return `"${Array.from({ length: 1 + random.int(300) }, byte).join('')}" "x"`
    default:
      return text
  }
}

const GENERATORS: Record<RecordType, (random: Random) => string> = {
  A: (random) => Array.from({ length: 4 }, () => random.int(256)).join('.'),
  AAAA: ipv6,
  CNAME: (random) => hostName(random, true),
  NS: (random) => hostName(random),
  MX: (random) => (random.int(9) === 0 ? '0 .' : `${random.int(65536)}  ${hostName(random)}`),
  TXT: txt,
  SRV: (random) =>
    `${random.int(9)} ${random.int(65536)} 0${1 + random.int(9999)} ${random.pick(['.', hostName(random)])}`,
  CAA: (random) =>
    random.pick([
      `${random.int(256)} Issue "${hostName(random)}; a=${random.text('az09"\\:/', 0, 9).replace(/["\\]/g, '\\$&')}"`,
      `0 issuewild ${hostName(random)}`,
      '0 issue ";"',
      `128 iodef mailto:${random.text(LETTERS, 1, 9)}@example.com`,
    ]),
}

/** Values as users write them, of every type in turn; most of them are valid. */
export function* generateValues(count: number, seed = 1): Generator<{ type: RecordType; value: string }> {
  const random = new Random(seed)
  for (let i = 0; i < count; i++) {
    const type = RECORD_TYPES[i % RECORD_TYPES.length] as RecordType
    yield { type, value: GENERATORS[type](random) }
  }
}
