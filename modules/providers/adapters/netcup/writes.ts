import { Type } from '@sinclair/typebox'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { isCode } from '../../client/client.ts'
import { afterOther, ProviderError, type ChangeOutcome, type RRsetEdit, type Zone } from '../../contract.ts'
import { outcomesIn, writePlans, type Done, type EditPlan } from '../../shared/records/applied-records.ts'
import {
  isRefusal,
  outcomesOf,
  planRecords,
  writesOf,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/records/edited-records.ts'
import { Answered, NOT_UPDATED, type NetcupApi } from './client.ts'
import { RawRecords, readRecords, readZone, writeRecord } from './records.ts'

/* Edits at netcup: many records in one call, or one by one after such a call is refused. */

/** The records of the zone. For an empty zone, netcup sends something else. */
const Changed = Answered(Type.Union([RawRecords, Type.String(), Type.Null()]))

interface Write {
  edit: RRsetEdit
  record: PlannedRecord
}

/** The zone that is written to. `ttl`: of all its records, seconds. */
interface Target {
  api: NetcupApi
  zone: Zone
  ttl: number
}

/** Applies the edits. Refuses those that want a TTL other than that of the zone. */
export async function applyEdits(
  api: NetcupApi,
  zone: Zone,
  edits: readonly RRsetEdit[],
): Promise<ChangeOutcome[][]> {
  const { held, ttl } = await readZone(api, zone)
  const target = { api, zone, ttl }
  const wanted = edits.map((edit) => (isRemoval(edit) ? { ...edit, ttl } : edit))
  const done: Done = new Map()
  for (const edit of wanted.filter((one) => one.ttl !== ttl)) {
    const error = otherTtl(target)
    if (edit.changes.length === 0 || edits.length === 1) throw error
    done.set(
      edit,
      edit.changes.map(() => ({ ok: false, error })),
    )
  }
  const rest = wanted.filter((edit) => !done.has(edit))
  const plans = planAll(rest, held)
  const writes = plans.flatMap(({ edit, planned }) => writesOf(planned).map((record) => ({ edit, record })))
  if (writes.length === 1) await writeEach(target, plans, done)
  else if (!(await writeTogether(target, plans, writes, done))) {
    // It is not documented that a refused call changes nothing.
    const now = await afterOther(readZone(api, zone))
    await writeEach(target, planAll(rest, now.held), done)
  }
  return outcomesIn(done, wanted)
}

/** Returns false if the call is refused. */
async function writeTogether(
  target: Target,
  plans: readonly EditPlan[],
  writes: readonly Write[],
  done: Done,
): Promise<boolean> {
  const made = new Map<PlannedRecord, ChangeOutcome>()
  try {
    const ids = writes.length === 0 ? [] : await send(target, writes.toSorted(deletionsFirst))
    for (const [record, providerId] of ids) made.set(record, { ok: true, providerId })
  } catch (error) {
    if (!(error instanceof ProviderError) || !isRefusal(error)) throw error
    return false
  }
  for (const { edit, planned } of plans) done.set(edit, outcomesOf(edit, planned, made))
  return true
}

async function writeEach(target: Target, plans: readonly EditPlan[], done: Done): Promise<void> {
  const readAll = async () => (await readZone(target.api, target.zone)).held
  const write = async (edit: RRsetEdit, record: PlannedRecord) => {
    try {
      const ids = await send(target, [{ edit, record }])
      return ids.get(record) ?? null
    } catch (error) {
      if (record.write !== 'delete' || !isCode(error, NOT_UPDATED)) throw error
      const held = await readAll()
      // Missing: others deleted it in the meantime.
      if (held.some(({ id }) => id === record.held?.id)) throw error
      return null
    }
  }
  await writePlans(plans, { context: target.api.context, readAll, readSet: readAll, write }, done)
}

/** Writes the records by one call. Returns the id of each; null for deleted ones. */
async function send(
  { api, zone, ttl }: Target,
  writes: readonly Write[],
): Promise<Map<PlannedRecord, string | null>> {
  const dnsrecords = writes.map(({ edit, record }) =>
    writeRecord({ ...record, name: edit.name, type: edit.type }),
  )
  const param = { domainname: zone.id, dnsrecordset: { dnsrecords } }
  const { responsedata: data } = await api.write('updateDnsRecords', Changed, param)
  const records = data === null || typeof data === 'string' ? [] : data.dnsrecords
  const { held } = await readRecords(records, ttl, zone)
  const ids = new Map(held.map(({ id, member, ...key }) => [`${rrsetKey(key)} ${member.value}`, id]))
  return new Map(
    writes.map(({ edit, record }) => {
      if (record.write === 'delete') return [record, null]
      return [record, record.held?.id ?? ids.get(`${rrsetKey(edit)} ${record.member.value}`) ?? null]
    }),
  )
}

function planAll(edits: readonly RRsetEdit[], held: readonly HeldRecord[]): EditPlan[] {
  const sets = Map.groupBy(held, rrsetKey)
  return edits.map((edit) => ({ edit, planned: planRecords(edit, sets.get(rrsetKey(edit)) ?? []) }))
}

/** Deletions make room for creations. */
const deletionsFirst = (a: Write, b: Write): number =>
  Number(b.record.write === 'delete') - Number(a.record.write === 'delete')

const isRemoval = ({ changes }: RRsetEdit): boolean =>
  changes.length > 0 && changes.every(({ action }) => action === 'remove')

const otherTtl = ({ zone, ttl }: Target) =>
  new ProviderError(
    'rejected',
    `At netcup, all records of ${zone.name} have the TTL of their zone, which is ${ttl}`,
  )
