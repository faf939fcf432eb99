import { Type, type Static } from '@sinclair/typebox'
import { plainText, resultOf } from '../../shared/records/bulk-records.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { afterOther, type ProviderError, type Zone } from '../../contract.ts'
import type { CommandApi } from '../../client/commands.ts'
import { byNumber } from '../../client/paging.ts'
import { untilDone } from '../../client/polling.ts'
import type { RawRecord } from './client.ts'
import { writeRecord } from './record-data.ts'

const PROVIDER = 'Alibaba Cloud DNS'
const RESULTS_A_PAGE = 100

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const RawResult = Type.Object({
  Status: Type.Boolean(),
  Rr: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  Line: Text,
  Priority: Text,
  RecordId: Text,
  Reason: Text,
})

const Task = Type.Object({ TaskId: Type.Integer() })
/** 0: still running. */
const TaskRead = Type.Object({ Status: Type.Integer() })
const Results = Type.Object({
  TotalCount: Type.Integer(),
  BatchResultDetails: Type.Object({ BatchResultDetail: Type.Array(RawResult) }),
})

/** Creates the records by one task and waits for its end. */
export async function createRecords(
  api: CommandApi,
  zone: Zone,
  writes: readonly RecordWrite<RawRecord>[],
): Promise<(string | ProviderError)[]> {
  const wanted = writes.map(writeRecord)
  const infos = wanted.flatMap(({ RR, TTL, ...rest }, at) =>
    Object.entries({ Domain: zone.id, Rr: RR, Ttl: TTL, ...rest }).map(([name, value]) => [
      `DomainRecordInfo.${at + 1}.${name}`,
      value,
    ]),
  )
  const task = await api.write('OperateBatchDomain', Task, { Type: 'RR_ADD', ...Object.fromEntries(infos) })
  const results = await afterOther(resultsOf(api, task.TaskId))
  return wanted.map((one) => {
    const result = results.find((each) => isSame(each, one))
    return resultOf(PROVIDER, result && { id: result.Status ? result.RecordId : null, reason: result.Reason })
  })
}

async function resultsOf(api: CommandApi, task: number): Promise<Static<typeof RawResult>[]> {
  const batch = { TaskId: task, BatchType: 'RR_ADD' }
  await untilDone(api.context, PROVIDER, async () => {
    const read = await api.read('DescribeBatchResultCount', TaskRead, batch)
    return read.Status === 0 ? null : read
  })
  const read = async (page: number) => {
    const parameters = { ...batch, PageNumber: page, PageSize: RESULTS_A_PAGE }
    const found = await api.read('DescribeBatchResultDetail', Results, parameters)
    return { items: found.BatchResultDetails.BatchResultDetail, total: found.TotalCount }
  }
  const results: Static<typeof RawResult>[] = []
  for await (const page of byNumber(read, { size: RESULTS_A_PAGE })) results.push(...page)
  return results
}

function isSame(result: Static<typeof RawResult>, wanted: ReturnType<typeof writeRecord>): boolean {
  return (
    result.Type === wanted.Type &&
    plainText(result.Rr) === plainText(wanted.RR) &&
    plainText(result.Value) === plainText(wanted.Value) &&
    (result.Line ?? wanted.Line) === wanted.Line &&
    (wanted.Priority === undefined ||
      (result.Priority ?? '') === '' ||
      Number(result.Priority) === wanted.Priority)
  )
}
