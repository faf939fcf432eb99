import { typeCode, typeName } from '../../wire/type-codes.ts'
import type { WireReader, WireWriter } from '../../wire/wire.ts'
import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable } from '../words.ts'

/** Record types in numerical order; on the wire, the bitmap of RFC 4034 section 4.1.2. */
export const typeBitmap = (
  info: Pick<FieldInfo, 'title' | 'help'> & { example: string[] },
): Field<string[]> => ({
  info: { kind: 'types', ...info },
  read: (words) => inOrder(words.rest().map(({ raw }) => raw)),
  accept(given) {
    if (!Array.isArray(given) || !given.every((type) => typeof type === 'string')) {
      throw new Unreadable('must be a list of record types, such as ["A", "NS"]')
    }
    return inOrder(given)
  },
  show: (types) => types.join(' '),
  toWire: writeBitmap,
  fromWire: readBitmap,
})

function inOrder(types: string[]): string[] {
  const codes = types.map((type) => {
    const code = typeCode(type.toUpperCase())
    if (code === null)
      throw new Unreadable(
        `must be record types, but ${JSON.stringify(type.slice(0, 40))} is not a record type`,
      )
    return code
  })
  return [...new Set(codes)].sort((a, b) => a - b).map(typeName)
}

function writeBitmap(types: string[], out: WireWriter): void {
  const codes = types.map((type) => typeCode(type) ?? 0)
  for (const [window, within] of Map.groupBy(codes, (code) => code >> 8)) {
    const bits = Buffer.alloc(((Math.max(...within) % 256) >> 3) + 1)
    for (const code of within) bits[(code % 256) >> 3] = (bits[(code % 256) >> 3] ?? 0) | (0x80 >> (code % 8))
    out.number(window, 1).string(bits)
  }
}

function readBitmap(input: WireReader): string[] {
  const codes: number[] = []
  while (input.left > 0) {
    const window = input.number(1)
    for (const [at, bits] of input.string().entries()) {
      for (let bit = 0; bit < 8; bit++) if (bits & (0x80 >> bit)) codes.push(window * 256 + at * 8 + bit)
    }
  }
  return codes.map(typeName)
}
