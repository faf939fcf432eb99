import { failure, invalid, type AlidnsDomain, type Params } from './alidns-domain.ts'
import { Jobs, type Job, type TaskResult } from './jobs.ts'

const MAX_BATCH = 1000

interface Task {
  /** As it was sent. */
  info: Params
  /** Answers the id of the record, if there is one. Throws Refused. */
  run: () => string | null
}

/** The tasks of `OperateBatchDomain`. */
export class AlidnsBatches extends Jobs<Task> {
  /** `domainOf` throws Refused. */
  operate(params: Params, domainOf: (name: string | undefined) => AlidnsDomain): object {
    const { Type: type } = params
    // What comes after a thousand is ignored.
    const infos = infosOf(params).slice(0, MAX_BATCH)
    if (infos.length === 0)
      throw failure(400, 'MissingParameter', 'DomainRecordInfo is mandatory for this action.')
    if (type !== 'RR_ADD' && type !== 'RR_DEL')
      throw invalid(`The specified Type ${type} is not for records.`)
    const tasks = infos.map((info): Task => {
      const { Domain, Rr, Type, Value, Ttl, Priority, Line } = info
      const run = () => {
        const domain = domainOf(Domain)
        if (type === 'RR_ADD') {
          const made = domain.add({
            ...(Rr !== undefined && { RR: Rr }),
            ...(Type !== undefined && { Type }),
            ...(Value !== undefined && { Value }),
            ...(Line !== undefined && { Line }),
            ...(Ttl !== undefined && { TTL: Ttl }),
            Priority: Priority ?? '10',
          })
          return made.RecordId
        }
        // Only by these two: without them all records are deleted.
        for (const record of domain.records)
          if ((Rr ?? record.RR) === record.RR && (Value ?? record.Value) === record.Value)
            domain.delete(record)
        return null
      }
      return { info, run }
    })
    return { TaskId: this.start(type, tasks).id }
  }

  count({ TaskId }: Params): object {
    const job = TaskId === undefined ? this.latest : this.ask(Number(TaskId))
    if (job === undefined) return { Status: -1, TotalCount: 0, SuccessCount: 0, FailedCount: 0 }
    const done = job.results ?? []
    const failed = done.filter(({ ok }) => !ok)
    return {
      Status: job.results === null ? 0 : 1,
      TotalCount: job.tasks.length,
      SuccessCount: done.length - failed.length,
      FailedCount: failed.length,
      TaskId: job.id,
      BatchType: job.type,
      Reason: '',
    }
  }

  /** All of a task that is done, and nothing before. */
  results({ TaskId }: Params): object[] {
    const job = this.ask(Number(TaskId))
    const { results, tasks, type } =
      job ?? ({ results: null, tasks: [], type: '' } satisfies Partial<Job<Task>>)
    return (results ?? []).map((result, i) => detailOf(result, tasks[i]?.info ?? {}, type))
  }
}

const detailOf = (
  result: TaskResult,
  { Domain, Rr, Type, Value, Ttl, Priority, Line }: Params,
  BatchType: string,
) => ({
  Status: result.ok,
  Domain,
  Rr,
  Type,
  Value,
  Ttl,
  Priority,
  Line,
  BatchType,
  RecordId: result.ok && typeof result.value === 'string' ? result.value : '',
  OperateDateStr: '2019-08-22 18:02:58',
  Reason: result.ok ? '' : reasonOf(result),
})

function reasonOf({ refusal }: Extract<TaskResult, { ok: false }>): string {
  if (refusal === null) return 'An internal error occurred.'
  return (JSON.parse(refusal.message) as { Message: string }).Message
}

/** `DomainRecordInfo.1.Rr` and so on, in their order. */
function infosOf(params: Params): Params[] {
  const infos = new Map<number, Params>()
  for (const [name, value] of Object.entries(params)) {
    const [, n, field = ''] = /^DomainRecordInfo\.(\d+)\.(\w+)$/.exec(name) ?? []
    if (n !== undefined) infos.set(Number(n), { ...infos.get(Number(n)), [field]: value })
  }
  return [...infos].toSorted(([a], [b]) => a - b).map(([, info]) => info)
}
