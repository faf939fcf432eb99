import { typeCode } from '../../../dns/wire/type-codes.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { absoluteName } from '../../../dns/names/names.ts'
import { CLASS, RCODE, TYPE, type Message, type ResourceRecord } from '../../../dns/wire/message.ts'
import { readWireSoa } from '../../../dns/zone-file/soa.ts'
import { sizeOf } from '../../../dns/wire/tsig-answers.ts'
import { takeSlices } from '../../../plugins/http/event-loop.ts'
import { recordScopeOf, seesWhole, type GrantedDomain } from '../../domains/access/access.ts'
import { allRecords } from '../../records/service.ts'
import { requirePermission } from './authentication.ts'
import type { DnsContext, Signer } from './context.ts'
import { Refused } from './refusal.ts'
import { soaOf, zoneNamed } from './zones.ts'

/** Octets of records in one message, so that a signature is worth its work and memory stays small. */
const MESSAGE_SIZE = 16_000

/** Returns the zone if the key sees all of it. Throws Refused: nobody gets a part of a zone that looks like the whole. */
export async function requireWholeZone(
  { db }: DnsContext,
  signer: Signer,
  zone: string,
): Promise<GrantedDomain> {
  requirePermission(signer, 'records:read')
  return zoneNamed(db, signer, zone, (domain) => seesWhole(domain, signer))
}

/** Whether the client of an IXFR has this version of the zone (RFC 1995 section 2). */
export function isCurrent({ authorities }: Message, soa: ResourceRecord): boolean {
  const theirs = authorities.find(({ type }) => type === TYPE.SOA)
  const serial = theirs && readWireSoa(theirs.data)?.serial
  return serial !== undefined && serial === readWireSoa(soa.data)?.serial
}

/**
 * Returns the records of a zone transfer in chunks, each for one message: the SOA first and last (RFC 5936 section 2.2).
 * Without disabled and routed records, and without types that exist only at a provider.
 */
export async function* zoneRecords(
  { db }: DnsContext,
  signer: Signer,
  domain: GrantedDomain,
): AsyncGenerator<ResourceRecord[]> {
  const soa = soaOf(domain)
  const slice = takeSlices()
  let chunk = [soa]
  let size = 0
  const rows = await allRecords(db, domain.id, recordScopeOf(domain, signer))
  for (const record of recordsOf(rows, domain)) {
    if (size > 0 && size + sizeOf(record) > MESSAGE_SIZE) {
      yield chunk
      chunk = []
      size = 0
    }
    chunk.push(record)
    size += sizeOf(record)
    await slice()
  }
  yield [...chunk, soa]
}

function* recordsOf(
  rows: Awaited<ReturnType<typeof allRecords>>,
  { name: zone, default_ttl: usual, name_servers: servers }: GrantedDomain,
): Generator<ResourceRecord> {
  const served = rows.filter((row) => row.enabled && row.routing === null)
  const code = typeCode('NS') as number
  // Many providers keep the NS records at the apex to themselves.
  if (!served.some((row) => row.name === '@' && row.type === 'NS')) {
    for (const server of servers)
      yield { name: zone, type: code, class: CLASS.IN, ttl: usual, data: typeOf('NS').toWire(server) }
  }
  for (const { name, type, value, ttl } of served) {
    const number = typeCode(type)
    if (number === null) continue
    const data = typeOf(type).toWire(value)
    yield { name: absoluteName(name, zone), type: number, class: CLASS.IN, ttl: ttl ?? usual, data }
  }
}

export const notOverUdp = () => new Refused(RCODE.REFUSED, 'zones are transferred over TCP')
