import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import { CLASS, TYPE, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { typeCode, typeName } from '../../../../dns/wire/type-codes.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { inSlices } from '../../../../plugins/http/event-loop.ts'
import type { Zone } from '../../contract.ts'
import type { Spell } from '../../shared/rrsets/edited-set.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import type { Client } from './client.ts'
import { malformed } from './failures.ts'

/** An RRset on the server; without data if it does not exist. */
export interface HeldRRset {
  /** Relative to the zone. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** Data of each record, uncompressed. */
  data: Uint8Array[]
}

/** RRsets by `rrsetKey`. */
export type Held = ReadonlyMap<string, HeldRRset>

/** Reads the whole zone by a transfer (AXFR), without its SOA. Rejects with ProviderError. */
export const readZone = (client: Client, zone: Zone): Promise<Held> =>
  client.transfer(zone.name, async (chunks) => {
    const held = new Map<string, HeldRRset>()
    for await (const records of chunks) {
      await inSlices(records, (record) => {
        if (record.type !== TYPE.SOA) hold(held, record, zone)
      })
    }
    return held
  })

function hold(held: Map<string, HeldRRset>, { name, type, ttl, data }: ResourceRecord, zone: Zone): void {
  const owner = relativeName(name, zone.name)
  if (owner === null) throw malformed()
  const key = { name: owner, type: typeName(type) }
  // Signatures have the TTL of the RRset they sign (RFC 4034 section 3).
  const id = key.type === 'RRSIG' ? `${rrsetKey(key)} ${data[0]} ${data[1]}` : rrsetKey(key)
  const rrset = held.get(id)
  if (rrset === undefined) held.set(id, { ...key, ttl, data: [data] })
  else {
    rrset.ttl = Math.min(rrset.ttl, ttl)
    rrset.data.push(data)
  }
}

/**
 * Queries these RRsets. The answers are exact except for names that the server synthesizes from a wildcard,
 * or takes from a child zone of its own. Null for names below a delegation or a DNAME, which it can't answer.
 * Rejects with ProviderError.
 */
export async function askRRsets(client: Client, zone: Zone, keys: readonly RRsetKey[]): Promise<Held | null> {
  const questions = keys.map(({ name, type }) => ({
    name: absoluteName(name, zone.name),
    type: typeCode(type) ?? 0,
    class: CLASS.IN,
  }))
  const held = new Map<string, HeldRRset>()
  for (const [index, message] of (await client.query(questions)).entries()) {
    const { name, type } = questions[index] ?? {}
    const isWanted = (record: ResourceRecord) => record.name === name && record.type === type
    const isDname = (record: ResourceRecord) => record.type === typeCode('DNAME') && record.name !== name
    const { rcode, isAuthoritative, answers, authorities } = message
    // At the delegation itself, the referral is the answer.
    const found = (isAuthoritative ? answers : authorities).filter(isWanted)
    const isUnclear = !isAuthoritative && found.length === 0
    if (isUnclear || answers.some(isDname) || !(rcode === 0 || rcode === 3)) return null
    for (const record of found) hold(held, record, zone)
  }
  return held
}

export const heldOf = (held: Held, { name, type }: RRsetKey): HeldRRset =>
  held.get(rrsetKey({ name, type })) ?? { name, type, ttl: 0, data: [] }

/**
 * Maintained by servers that sign a zone, or refused by others (RFC 4034, RFC 7344); the last are BIND's own
 * state.
 */
const OF_SIGNING: ReadonlySet<string> = new Set(['DNSKEY', 'CDS', 'CDNSKEY', 'TYPE65534'])

/** Data in wire format. */
export const spell: Spell<Uint8Array> = (type) => ({
  read: (data) => (OF_SIGNING.has(type) ? null : typeOf(type).fromWire(data)),
  write: (value) => typeOf(type).toWire(value),
})

export const toSet = ({ data, ...rest }: HeldRRset): ListedSet<Uint8Array> => ({
  ...rest,
  values: plainValues(data),
})
