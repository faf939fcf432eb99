import { RECORD_TYPES, type RecordType } from '../../dns/types/index.ts'
import { OTHER_GENERATORS } from './generate-others.ts'
import { hostName, ipv6, LETTERS, Random } from './random.ts'

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

const GENERATORS: Record<(typeof RECORD_TYPES)[number], (random: Random) => string> = {
  A: (random) => Array.from({ length: 4 }, () => random.int(256)).join('.'),
  AAAA: ipv6,
  CNAME: (random) => hostName(random, true),
  NS: (random) => hostName(random),
  MX: (random) => (random.int(9) === 0 ? '0 .' : `${random.int(65536)}  ${hostName(random)}`),
  TXT: txt,
  SRV: (random) =>
    `${random.int(9)} ${random.int(65536)} 0${1 + random.int(9999)} ${random.pick(['.', hostName(random)])}`,
  ...OTHER_GENERATORS,
  CAA: (random) =>
    random.pick([
      `${random.int(256)} Issue "${hostName(random)}; a=${random.text('az09"\\:/', 0, 9).replace(/["\\]/g, '\\$&')}"`,
      `0 issuewild ${hostName(random)}`,
      '0 issue ";"',
      `128 iodef mailto:${random.text(LETTERS, 1, 9)}@example.com`,
    ]),
}

/** A value as users write it; most are valid. */
export const generateValue = (type: (typeof RECORD_TYPES)[number], random: Random): string =>
  GENERATORS[type](random)

/** Values as users write them, of every type in turn; most of them are valid. */
export function* generateValues(count: number, seed = 1): Generator<{ type: RecordType; value: string }> {
  const random = new Random(seed)
  for (let i = 0; i < count; i++) {
    const type = RECORD_TYPES[i % RECORD_TYPES.length] as (typeof RECORD_TYPES)[number]
    yield { type, value: GENERATORS[type](random) }
  }
}
