import { isDeepStrictEqual } from 'node:util'
import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { readType, type RecordType } from '../../../../dns/types/index.ts'
import {
  unlessMissing,
  type AdapterContext,
  type DnsAdapter,
  type Member,
  type ProviderError,
  type RRsetEdit,
  type UnmanagedRecord,
  type Zone,
} from '../../contract.ts'
import { applyOneByOne, readSets, type WritableStore } from './applied-records.ts'
import { applyTogether } from './applied-together.ts'
import { applyInBulk } from './bulk-records.ts'
import type { Account } from '../define-provider.ts'
import { collectRecords, toPages, toRRset, type HeldRecord, type PlannedRecord } from './edited-records.ts'
import { pagesOf, zoneMethods, type Pages, type ZoneCalls } from '../zone-calls.ts'

/** A record as the provider lists it, in our terms but for its value. */
export interface ListedRecord {
  /** Missing: the provider gives none. */
  id?: string | number
  /** Relative to the zone; null: it is not in the zone. */
  name: string | null
  type: string
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  routing?: HeldRecord['routing']
  /** Its data, shown where it can't be managed. */
  data: string
  /** Properties besides the value. */
  member?: Omit<Member, 'value'>
}

/** A record to be written. */
export interface RecordWrite<Raw> extends PlannedRecord {
  /** Relative to the zone. */
  name: string
  type: RecordType
  routing?: HeldRecord['routing']
  /** Canonical; the same as `member.value`. */
  value: string
  /** As the provider listed it; missing where `held` is null. */
  raw: Raw | undefined
  /** The value does not change, and `raw` has its spelling. */
  keepsValue: boolean
}

/** An existing record to be changed or deleted. */
export interface ExistingWrite<Raw> extends RecordWrite<Raw> {
  id: string
  held: HeldRecord
  raw: Raw
}

interface ReadCalls<C, A, Raw> extends ZoneCalls<C, A> {
  /** All records of the zone; with `only`, at least those of that name and type. */
  listRecords(api: A, zone: Zone, only?: { name: string; type: RecordType }): Pages<Raw>
  /** A record in our terms, but for its value. The shape leaves out the SOA. */
  toRecord(raw: Raw, zone: Zone): ListedRecord
  /** The canonical value; null: the data is not of that type. */
  readValue(type: RecordType, raw: Raw, zone: Zone): string | null
  /** Up to this number of edits, sets are read alone. 1: the provider can only list whole zones. Missing: 5. */
  singleReads?: number
}

/** Writes of a provider that accepts one record per call. */
interface SingleWrites<A, Raw> {
  /** Returns the id; '' if the provider gives none. */
  createRecord(api: A, zone: Zone, write: RecordWrite<Raw>): Promise<string | number>
  /** Returns the new id, if that changes. */
  updateRecord(api: A, zone: Zone, write: ExistingWrite<Raw>): Promise<string | number | void>
  /** Deleting a missing one (`not_found`, or `isGone`) is a success. */
  deleteRecord(api: A, zone: Zone, write: ExistingWrite<Raw>): Promise<unknown>
  /** A creation failed because the record is there already. */
  isThere?(error: unknown): boolean
  /** A deletion failed because the record is not there. */
  isGone?(error: unknown): boolean
  bulk?: BulkWrites<A, Raw>
}

/** Writes of a provider that creates many records by one job. */
interface BulkWrites<A, Raw> {
  /** Whether a job can create it as wanted. */
  canCreate(write: RecordWrite<Raw>, zone: Zone): boolean
  /** Returns the id of each, or why it was not created. Rejects if the job is refused, or its outcome is unknown. */
  createRecords(
    api: A,
    zone: Zone,
    writes: readonly RecordWrite<Raw>[],
    /** Creates one without a job. */
    createOne: (write: RecordWrite<Raw>) => Promise<string | null>,
  ): Promise<(string | ProviderError)[]>
}

/** Writes of a provider that accepts all changes in one transaction. */
interface JointWrites<A, Raw> {
  /** `writes`: deletions first, which make room for creations. Returns the id of each, and of a change that is not finished. */
  writeRecords(
    api: A,
    zone: Zone,
    writes: readonly RecordWrite<Raw>[],
  ): Promise<{ ids: readonly (string | null)[]; change?: string }>
  /** Nothing was written because others changed records in the meantime. */
  isOutdated(error: unknown): boolean
  /** The TTL of a member, where it differs from the one of its set. */
  ttlOf?: (member: Member, ttl: number | null) => number | null
}

/** What the shape needs to know of a provider that gives each record an id. */
export type RecordCalls<C, A, Raw> = ReadCalls<C, A, Raw> & (SingleWrites<A, Raw> | JointWrites<A, Raw>)

/** An adapter of a provider that gives each record an id, and knows no RRsets. */
export const byId =
  <C, A extends { context: AdapterContext }, Raw extends object>(calls: RecordCalls<C, A, Raw>) =>
  (account: Account<C>): DnsAdapter => {
    const api = calls.api(account)
    const raws = new WeakMap<HeldRecord, Raw>()
    const readRecords = (zone: Zone, only?: { name: string; type: RecordType }) =>
      collectRecords(
        pagesOf(calls.listRecords(api, zone, only), api.context),
        (raw) => readRecord(raw, zone, calls),
        raws,
      )
    const readSet = async (zone: Zone, key: RRsetKey & { type: RecordType }) =>
      (await readRecords(zone, key)).held.filter((one) => rrsetKey(one) === rrsetKey(key))
    const toWrite = ({ name, type, routing }: RRsetEdit, record: PlannedRecord): RecordWrite<Raw> => ({
      ...record,
      name,
      type,
      routing: routing ?? null,
      value: record.member.value,
      raw: record.held === null ? undefined : raws.get(record.held),
      keepsValue: record.held?.member.value === record.member.value,
    })
    const readRaw = async (zone: Zone, key: RRsetKey & { type: RecordType }) =>
      (await readSet(zone, key)).map((held) => ({ held, raw: raws.get(held) }))
    const storeOf = (zone: Zone): Omit<WritableStore, 'write'> => ({
      context: api.context,
      readAll: async () => (await readRecords(zone)).held,
      readSet: (edit) => readSet(zone, edit),
      ...(calls.singleReads !== undefined && { singleReads: calls.singleReads }),
    })
    return {
      ...zoneMethods(api, calls),
      async *listRRsets(zone) {
        yield* toPages(await readRecords(zone))
      },
      readRRset: async (zone, name, type, routing = null) =>
        toRRset(await readSet(zone, { name, type, routing })),
      async apply(zone, edits) {
        const store = storeOf(zone)
        if ('writeRecords' in calls)
          return await applyTogether(edits, {
            read: () => readSets(edits, store),
            write: (writes) =>
              calls.writeRecords(
                api,
                zone,
                writes.map(({ edit, record }) => toWrite(edit, record)),
              ),
            isOutdated: (error) => calls.isOutdated(error),
            ...(calls.ttlOf && { ttlOf: calls.ttlOf }),
          })
        const write = (edit: RRsetEdit, record: PlannedRecord) =>
          writeRecord(api, zone, toWrite(edit, record), calls, () => readRaw(zone, edit))
        const { bulk } = calls
        if (bulk === undefined) return await applyOneByOne(edits, { ...store, write })
        return await applyInBulk(edits, {
          ...store,
          write,
          isPlain: ({ edit, record }) =>
            record.write === 'create' && bulk.canCreate(toWrite(edit, record), zone),
          createMany: (creations) =>
            bulk.createRecords(
              api,
              zone,
              creations.map(({ edit, record }) => toWrite(edit, record)),
              (one) => writeRecord(api, zone, one, calls, () => readRaw(zone, one)),
            ),
        })
      },
      ...calls.others?.(api),
    }
  }

/** The record in our terms, or as one that is not managed; null for the SOA and for records outside of the zone. */
function readRecord<Raw>(
  raw: Raw,
  zone: Zone,
  calls: Pick<ReadCalls<never, never, Raw>, 'toRecord' | 'readValue'>,
): HeldRecord | UnmanagedRecord | null {
  const { id = '', name, type: typeName, ttl, routing, data, member } = calls.toRecord(raw, zone)
  if (name === null || typeName === 'SOA') return null
  const type = readType(typeName)
  const value = type === null ? null : calls.readValue(type, raw, zone)
  if (type === null || value === null) return { name, type: typeName, ttl: ttl ?? 0, value: data }
  return { id: String(id), name, type, ...(routing && { routing }), ttl, member: { value, ...member } }
}

/** Writes one record and returns its id, or null. `readSet`: reads the records of its set. */
async function writeRecord<A, Raw>(
  api: A,
  zone: Zone,
  write: RecordWrite<Raw>,
  calls: SingleWrites<A, Raw>,
  readSet: () => Promise<{ held: HeldRecord; raw: Raw | undefined }[]>,
): Promise<string | null> {
  const { held, raw } = write
  if (held === null || raw === undefined) {
    try {
      return String(await calls.createRecord(api, zone, write)) || null
    } catch (error) {
      if (calls.isThere?.(error) !== true) throw error
      const found = (await readSet()).find((one) => one.held.member.value === write.value)
      if (found === undefined) throw error
      if (isAsWanted(found.held, write)) return found.held.id || null
      const change = { ...write, ...found, write: 'update' as const, keepsValue: true }
      return await writeRecord(api, zone, change, calls, readSet)
    }
  }
  const existing = { ...write, id: held.id, held, raw }
  if (write.write !== 'delete')
    return String((await calls.updateRecord(api, zone, existing)) ?? held.id) || null
  try {
    await unlessMissing(calls.deleteRecord(api, zone, existing))
  } catch (error) {
    if (calls.isGone?.(error) !== true) throw error
  }
  return null
}

const isAsWanted = ({ ttl, member }: HeldRecord, wanted: { ttl: number | null; member: Member }): boolean =>
  ttl === wanted.ttl && isDeepStrictEqual({ ...member, ...wanted.member }, member)
