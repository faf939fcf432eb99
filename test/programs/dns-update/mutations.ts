import type { TsigKey } from '../../../dns/wire/tsig.ts'
import {
  add,
  deleteName,
  deleteSet,
  deleteValue,
  exists,
  is,
  missing,
  queryOf,
  sign,
  updateOf,
} from './client.ts'

/** Numbers that are the same in each run. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Well-formed messages of all kinds. */
export function goodMessages(key: TsigKey, time: number): Buffer[] {
  const name = 'www.example.com'
  const updates = [
    add(name, 'A', '192.0.2.1'),
    add(name, 'MX', '10 mail.example.com'),
    add(name, 'TXT', 'some text'),
    deleteSet(name, 'AAAA'),
    deleteName('gone.example.com'),
    deleteValue(name, 'SRV', '0 0 80 a.example.com'),
  ]
  const prerequisites = [exists(name, 'ANY'), missing(name, 'CNAME'), is(name, 'A', '192.0.2.1')]
  const opt = { name: '.', type: 41, class: 1232, ttl: 0, data: Buffer.of() }
  return [
    updateOf('example.com', updates, prerequisites),
    updateOf('example.com', updates.slice(0, 1)),
    queryOf('example.com', 6, { additionals: [opt] }),
    queryOf('example.com', 252),
    queryOf('example.com', 251, { authorities: [add('example.com', 'A', '192.0.2.1')] }),
  ].map((message) => sign(message, key, time).message)
}

/** Changes, cuts, repeats, and lies about lengths and pointers. */
export function mutated(good: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(good)
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(bytes.length)
    const kind = random(7)
    if (kind === 0) bytes[at] = random(256)
    else if (kind === 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    else if (kind === 2) bytes = bytes.subarray(0, at)
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))])
    else if (kind === 4)
      bytes.writeUInt16BE(0xc000 + random(bytes.length + 20), Math.max(0, Math.min(at, bytes.length - 2)))
    else if (kind === 5)
      bytes[4 + random(Math.min(8, Math.max(1, bytes.length - 4)))] = random(4) === 0 ? 255 : random(4)
    else bytes = Buffer.concat([bytes, Buffer.alloc(random(40), random(256))])
    if (bytes.length < 2) return Buffer.concat([bytes, Buffer.alloc(2)])
  }
  return bytes
}
