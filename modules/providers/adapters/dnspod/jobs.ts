import { Type, type Static } from '@sinclair/typebox'
import type { RecordWrite } from '../../shared/by-id.ts'
import { halfDone, ProviderError, type Zone } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import { untilDone } from '../../client/polling.ts'
import { actionOf, Response, type RawRecord } from './client.ts'
import { writeNew } from './record-data.ts'

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

/** Creates the records by one job and waits for its end. */
export async function createRecords(
  api: ApiClient,
  zone: Zone,
  writes: readonly RecordWrite<RawRecord>[],
): Promise<(string | ProviderError)[]> {
  const wanted = writes.map(writeNew)
  const call = actionOf('CreateRecordBatch', { DomainIdList: [zone.id], RecordList: wanted })
  const { body } = await api.write('/', { ...call, schema: Job })
  const ask = () => tasksOf(api, body.Response.JobId)
  const tasks = await untilDone(api.context, 'DNSPod', ask).catch((error: unknown) => {
    throw halfDone(error)
  })
  return wanted.map((one) => resultOf(tasks.find((task) => isSame(task, one))))
}

/** The result of each; null: the job is still running. */
async function tasksOf(api: ApiClient, id: number): Promise<Static<typeof RawTask>[] | null> {
  const call = actionOf('DescribeBatchTask', { JobId: id })
  const { body } = await api.read('/', { ...call, schema: JobRead })
  const { TotalCount, SuccessCount, FailCount, DetailList } = body.Response
  return SuccessCount + FailCount < TotalCount ? null : DetailList.flatMap(({ RecordList }) => RecordList)
}

/** DNSPod may return it with a final dot, or in lower case. */
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
    return new ProviderError('unavailable', 'DNSPod did not report a result for this record', {
      outcome: 'unknown',
    })
  if (task.RecordId && task.Status === 'ok') return String(task.RecordId)
  return new ProviderError('rejected', `DNSPod refuses this: ${task.ErrMsg || 'without a reason'}`)
}
