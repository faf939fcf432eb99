import { Type, type Static } from '@sinclair/typebox'
import { plainText, resultOf } from '../../shared/records/bulk-records.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { afterOther, type ProviderError, type Zone } from '../../contract.ts'
import type { CommandApi } from '../../client/commands.ts'
import { untilDone } from '../../client/polling.ts'
import { Response, type RawRecord } from './client.ts'
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
  api: CommandApi,
  zone: Zone,
  writes: readonly RecordWrite<RawRecord>[],
): Promise<(string | ProviderError)[]> {
  const wanted = writes.map(writeNew)
  const parameters = { DomainIdList: [zone.id], RecordList: wanted }
  const { JobId: id } = (await api.write('CreateRecordBatch', Job, parameters)).Response
  const tasks = await afterOther(untilDone(api.context, 'DNSPod', () => tasksOf(api, id)))
  return wanted.map((one) => {
    const task = tasks.find((each) => isSame(each, one))
    return resultOf(
      'DNSPod',
      task && { id: task.Status === 'ok' ? task.RecordId : null, reason: task.ErrMsg },
    )
  })
}

/** The result of each; null: the job is still running. */
async function tasksOf(api: CommandApi, id: number): Promise<Static<typeof RawTask>[] | null> {
  const { Response: job } = await api.read('DescribeBatchTask', JobRead, { JobId: id })
  if (job.SuccessCount + job.FailCount < job.TotalCount) return null
  return job.DetailList.flatMap(({ RecordList }) => RecordList)
}

function isSame(task: Static<typeof RawTask>, wanted: ReturnType<typeof writeNew>): boolean {
  return (
    task.RecordType === wanted.RecordType &&
    plainText(task.SubDomain) === plainText(wanted.SubDomain) &&
    plainText(task.Value) === plainText(wanted.Value) &&
    (task.RecordLine ?? wanted.RecordLine) === wanted.RecordLine &&
    (wanted.MX === undefined || (task.MX ?? wanted.MX) === wanted.MX)
  )
}
