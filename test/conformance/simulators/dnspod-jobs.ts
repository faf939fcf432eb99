import { failure } from './dnspod-domain.ts'
import { Jobs, type Job, type TaskResult } from './jobs.ts'

/** What a job does of one record. */
export interface Task {
  domain: { id: number; name: string }
  operation: 'plus' | 'edit' | 'remove'
  /** As the answers show it. */
  record: Record<string, unknown>
  /** Answers the record's id. Throws Refused. */
  run: () => number
}

/** The tasks of DNSPod's batches. */
export class DnspodJobs extends Jobs<Task> {
  /** What is told of a job when it is asked for. */
  describe(id: unknown): Record<string, unknown> {
    const job = this.ask(Number(id))
    if (job === undefined) throw failure('ResourceNotFound', 'The task does not exist.')
    const { results } = job
    const done = results ?? []
    return {
      DetailList: detailsOf(
        job,
        (i) => (results === null ? { Status: 'running', ErrMsg: null } : resultOf(done[i])),
        results === null ? 'running' : 'ok',
      ),
      TotalCount: job.tasks.length,
      SuccessCount: done.filter(({ ok }) => ok).length,
      FailCount: done.filter(({ ok }) => !ok).length,
      JobType: job.type,
      CreatedAt: job.createdAt.toISOString().replace('T', ' ').slice(0, 19),
    }
  }
}

function resultOf(result: TaskResult | undefined) {
  if (result?.ok === true) return { RecordId: result.value, Status: 'ok', ErrMsg: null }
  const text = result?.refusal?.message
  const told = text === undefined ? null : (JSON.parse(text) as { Response: { Error: { Message: string } } })
  const ErrMsg = told?.Response.Error.Message ?? 'The system is busy. Please try again later.'
  return { RecordId: null, Status: 'fail', ErrMsg }
}

/** What is told of the records, by domain. */
export function detailsOf({ tasks }: Job<Task>, result: (i: number) => object, Status: string) {
  const domains = new Map(tasks.map(({ domain }) => [domain.id, domain]))
  return [...domains.values()].map(({ id, name }, Id) => ({
    RecordList: tasks.flatMap(({ domain, record, operation }, i) =>
      domain.id === id ? [{ ...record, Id: i, Operation: operation, ...result(i) }] : [],
    ),
    Id,
    DomainId: id,
    Domain: name,
    DomainGrade: 'DP_FREE',
    ErrMsg: null,
    Status,
    Operation: null,
  }))
}
