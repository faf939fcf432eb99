import { WireReader, WireWriter } from './wire.ts'

type Part = number | 'string' | 'name'

/**
 * The types, by number, whose data may have compressed names (RFC 1035 section 4.1.4, RFC 3597 section 4),
 * with the layout of their data up to the last name.
 */
const PARTS: Record<number, readonly Part[]> = {
  2: ['name'], // NS
  3: ['name'], // MD
  4: ['name'], // MF
  5: ['name'], // CNAME
  6: ['name', 'name'], // SOA
  7: ['name'], // MB
  8: ['name'], // MG
  9: ['name'], // MR
  12: ['name'], // PTR
  14: ['name', 'name'], // MINFO
  15: [2, 'name'], // MX
  17: ['name', 'name'], // RP
  18: [2, 'name'], // AFSDB
  21: [2, 'name'], // RT
  24: [18, 'name'], // SIG
  26: [2, 'name', 'name'], // PX
  30: ['name'], // NXT
  33: [6, 'name'], // SRV
  35: [4, 'string', 'string', 'string', 'name'], // NAPTR
  36: [2, 'name'], // KX
  39: ['name'], // DNAME
}

/** The data of a record of that type without compression, otherwise byte for byte. Throws WireError. */
export function expandData(type: number, message: Uint8Array, start: number, end: number): Buffer {
  const input = new WireReader(message, start, end)
  const out = new WireWriter()
  // Updates may have records without data (RFC 2136 section 2.5.2).
  for (const part of start === end ? [] : (PARTS[type] ?? [])) {
    if (part === 'string') out.string(input.string())
    else if (part === 'name') out.labels(input.labels())
    else out.bytes(input.bytes(part))
  }
  return out.bytes(input.rest()).finish()
}
