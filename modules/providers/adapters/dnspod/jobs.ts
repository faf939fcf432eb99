import { Type, type Static } from '@sinclair/typebox'
import { halfDone, ProviderError, type RRsetEdit, type Zone } from '../../contract.ts'
import type { PlannedRecord } from '../../edited-records.ts'
import type { ApiClient } from '../../http-client/client.ts'
import { actionOf, Response } from './client.ts'
import { writeNew } from './record-data.ts'

const POLL_MS = 500

/** A record that is to be made. */
export interface Creation {
  edit: RRsetEdit
  record: PlannedRecord
}

const RawTask = Type.Object({
  RecordId: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  SubDomain: Type.String(),
  RecordType: Type.String(),
  RecordLine: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  Value: Type.String(),
  MX: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  Status: Type.String(),
  ErrMsg: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

const Job = Response({ JobId: Type.Integer() })
const JobRead = Response({
  TotalCount: Type.Integer(),
  SuccessCount: Type.Integer(),
  FailCount: Type.Integer(),
  DetailList: Type.Array(Type.Object({ RecordList: Type.Array(RawTask) })),
})

/** Jobs make records that are served, without remarks and weights. */
export const isPlain = ({ edit, record: { write, member } }: Creation): boolean =>
  write === 'create' &&
  member.disabled !== true &&
  (member.comment ?? '') === '' &&
  edit.routing?.weight === undefined

/**
 * Makes the records by one job, and waits for it. Answers the id of each, or why it was not made. Rejects where nobody
 * knows, and where the job is not taken.
 */
export async function createMany(
  api: ApiClient,
  zone: Zone,
  creations: readonly Creation[],
): Promise<(string | ProviderError)[]> {
  const wanted = creations.map(({ edit, record }) => writeNew(edit, record))
  const call = actionOf('CreateRecordBatch', { DomainIdList: [zone.id], RecordList: wanted })
  const { body } = await api.write('/', { ...call, schema: Job })
  const tasks = await untilDone(api, body.Response.JobId).catch((error: unknown) => {
    throw halfDone(error)
  })
  return wanted.map((one) => resultOf(tasks.find((task) => isSame(task, one))))
}

async function untilDone(api: ApiClient, id: number): Promise<Static<typeof RawTask>[]> {
  const { clock, deadline, signal } = api.context
  for (;;) {
    const call = actionOf('DescribeBatchTask', { JobId: id })
    const { body } = await api.read('/', { ...call, schema: JobRead })
    const { TotalCount, SuccessCount, FailCount, DetailList } = body.Response
    if (SuccessCount + FailCount >= TotalCount) return DetailList.flatMap(({ RecordList }) => RecordList)
    if (clock.now() + POLL_MS >= deadline) throw notInTime()
    await clock.sleep(POLL_MS, signal).catch(() => {
      throw notInTime()
    })
  }
}

const notInTime = () => new ProviderError('timeout', 'DNSPod is not done with this yet')

/** DNSPod may spell it with a final dot, or in small letters. */
function isSame(task: Static<typeof RawTask>, wanted: ReturnType<typeof writeNew>): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, '')
  return (
    task.RecordType === wanted.RecordType &&
    plain(task.SubDomain) === plain(wanted.SubDomain) &&
    plain(task.Value) === plain(wanted.Value) &&
    (task.RecordLine ?? wanted.RecordLine) === wanted.RecordLine &&
    (wanted.MX === undefined || (task.MX ?? wanted.MX) === wanted.MX)
  )
}

function resultOf(task: Static<typeof RawTask> | undefined): string | ProviderError {
  if (task === undefined)
    return new ProviderError('unavailable', 'DNSPod did not say what became of this', { outcome: 'unknown' })
  if (task.RecordId && task.Status === 'ok') return String(task.RecordId)
  return new ProviderError('rejected', `DNSPod refuses this: ${task.ErrMsg || 'without a reason'}`)
}
