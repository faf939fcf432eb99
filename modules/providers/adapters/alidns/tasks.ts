import { Type, type Static } from '@sinclair/typebox'
import type { RecordWrite } from '../../shared/by-id.ts'
import { halfDone, ProviderError, type Zone } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { untilDone } from '../../client/polling.ts'
import { actionOf, type RawRecord } from './client.ts'
import { writeRecord } from './record-data.ts'

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
  api: ApiClient,
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
  const call = actionOf('OperateBatchDomain', { Type: 'RR_ADD', ...Object.fromEntries(infos) })
  const { body } = await api.write('/', { ...call, schema: Task })
  const results = await resultsOf(api, body.TaskId).catch((error: unknown) => {
    throw halfDone(error)
  })
  return wanted.map((one) => idOf(results.find((result) => isSame(result, one))))
}

async function resultsOf(api: ApiClient, task: number): Promise<Static<typeof RawResult>[]> {
  const form = { TaskId: task, BatchType: 'RR_ADD' }
  await untilDone(api.context, 'Alibaba Cloud DNS', async () => {
    const { body } = await api.read('/', { ...actionOf('DescribeBatchResultCount', form), schema: TaskRead })
    return body.Status === 0 ? null : body
  })
  const read = async (page: number) => {
    const query = { ...form, PageNumber: page, PageSize: RESULTS_A_PAGE }
    const { body } = await api.read('/', {
      ...actionOf('DescribeBatchResultDetail', query),
      schema: Results,
    })
    return { items: body.BatchResultDetails.BatchResultDetail, total: body.TotalCount }
  }
  const results: Static<typeof RawResult>[] = []
  for await (const page of byNumber(read, { size: RESULTS_A_PAGE })) results.push(...page)
  return results
}

function isSame(result: Static<typeof RawResult>, wanted: ReturnType<typeof writeRecord>): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, '')
  return (
    result.Type === wanted.Type &&
    plain(result.Rr) === plain(wanted.RR) &&
    plain(result.Value) === plain(wanted.Value) &&
    (result.Line ?? wanted.Line) === wanted.Line &&
    (wanted.Priority === undefined ||
      (result.Priority ?? '') === '' ||
      Number(result.Priority) === wanted.Priority)
  )
}

function idOf(result: Static<typeof RawResult> | undefined): string | ProviderError {
  if (result === undefined) {
    const message = 'Alibaba Cloud DNS did not report a result for this record'
    return new ProviderError('unavailable', message, { outcome: 'unknown' })
  }
  if (result.Status && result.RecordId) return result.RecordId
  return new ProviderError(
    'rejected',
    `Alibaba Cloud DNS refuses this: ${result.Reason || 'without a reason'}`,
  )
}
