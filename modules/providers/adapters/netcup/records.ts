import { Type } from '@sinclair/typebox'
import { readType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import { tooLarge, type UnmanagedRecord, type Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { collectRecords, type HeldRecord, type HeldRecords } from '../../shared/records/edited-records.ts'
import { joinData, splitData, type Split } from '../../shared/spelling/split-data.ts'
import { Answered, NO_RECORDS, RawRecord, type NetcupApi } from './client.ts'

const SPLIT: Split = { MX: ['priority'] }

const ZoneInfo = Answered(
  Type.Object({ ttl: Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]) }),
)

export const RawRecords = Type.Object({ dnsrecords: Type.Array(RawRecord) })

const Records = Answered(RawRecords)

/** All records of a zone, and the TTL that they share, seconds. */
export interface ZoneRecords extends HeldRecords {
  ttl: number
}

/** TTL of a zone, seconds. */
export async function readTtl(api: NetcupApi, domainname: string): Promise<number> {
  const { responsedata } = await api.read('infoDnsZone', ZoneInfo, { domainname })
  return Number(responsedata.ttl)
}

export async function readZone(api: NetcupApi, zone: Zone): Promise<ZoneRecords> {
  const ttl = await readTtl(api, zone.id)
  const call = api.read('infoDnsRecords', Records, { domainname: zone.id })
  const answer = await call.catch((error: unknown) => {
    // The zone exists, because its TTL was read, so it is empty.
    if (isCode(error, NO_RECORDS)) return null
    throw error
  })
  const records = answer?.responsedata.dnsrecords ?? []
  const { maxZoneRecords } = api.context
  if (records.length > maxZoneRecords) throw tooLarge(maxZoneRecords)
  return { ...(await readRecords(records, ttl, zone)), ttl }
}

export const readRecords = (raw: readonly RawRecord[], ttl: number, zone: Zone): Promise<HeldRecords> =>
  collectRecords([raw], (one) => readRecord(one, ttl, zone))

/** The record in our terms, or as one that is not managed; null for records outside of the zone. */
function readRecord(raw: RawRecord, ttl: number, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.hostname, zone.name)
  if (name === null) return null
  const type = readType(raw.type)
  const data = { data: raw.destination, priority: Number(raw.priority ?? 0) }
  const value = type === null ? null : joinData(type, data, SPLIT, zone.name)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: raw.destination }
  return { id: raw.id, name, type, ttl, member: { value } }
}

/** A record in a request. Without an id, netcup creates it. */
export function writeRecord({
  name,
  type,
  write,
  held,
  member,
}: Pick<RecordWrite<never>, 'name' | 'type' | 'write' | 'held' | 'member'>) {
  const { data, priority = 0 } = splitData(type, member.value, SPLIT)
  return {
    ...(held !== null && { id: held.id }),
    hostname: name,
    type,
    priority: String(priority),
    destination: data,
    deleterecord: write === 'delete',
  }
}
