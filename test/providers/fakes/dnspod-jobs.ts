import { Refused } from './answers.ts'
import { failure } from './dnspod-domain.ts'

/** What a job does of one record. */
export interface Task {
  domain: { id: number; name: string }
  operation: 'plus' | 'edit' | 'remove'
  /** As the answers show it. */
  record: Record<string, unknown>
  /** Answers the record's id. Throws Refused. */
  run: () => number
}

interface Job {
  id: number
  type: string
  tasks: Task[]
  createdAt: string
  /** Null: it is not done yet. */
  results: { RecordId: number | null; Status: string; ErrMsg: string | null }[] | null
}

/** Changes of many records, each on its own, which are taken first and done later. */
export class DnspodJobs {
  /** How often it is asked in vain whether one is done. */
  unfinished = 0
  /** Of several the last one fails. */
  failsLast = false
  #jobs = new Map<number, Job>()
  #ids = 1_701_629

  start(type: string, tasks: Task[]): Job {
    const createdAt = new Date().toISOString().replace('T', ' ').slice(0, 19)
    const job: Job = { id: ++this.#ids, type, tasks, createdAt, results: null }
    this.#jobs.set(job.id, job)
    if (this.unfinished <= 0) this.#run(job)
    return job
  }

  /** What is told of a job when it is asked for. */
  describe(id: unknown): Record<string, unknown> {
    const job = this.#jobs.get(Number(id))
    if (job === undefined) throw failure('ResourceNotFound', 'The task does not exist.')
    const isDone = this.unfinished-- <= 0
    if (isDone && job.results === null) this.#run(job)
    const results = isDone ? (job.results ?? []) : []
    const count = (status: string) => results.filter(({ Status }) => Status === status).length
    return {
      DetailList: details(
        job,
        (i) => results[i] ?? { Status: 'running', ErrMsg: null },
        isDone ? 'ok' : 'running',
      ),
      TotalCount: job.tasks.length,
      SuccessCount: count('ok'),
      FailCount: count('fail'),
      JobType: job.type,
      CreatedAt: job.createdAt,
    }
  }

  #run(job: Job): void {
    job.results = job.tasks.map(({ run }, i) => {
      if (this.failsLast && job.tasks.length > 1 && i === job.tasks.length - 1)
        return { RecordId: null, Status: 'fail', ErrMsg: 'The system is busy. Please try again later.' }
      try {
        return { RecordId: run(), Status: 'ok', ErrMsg: null }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const { Response } = JSON.parse(error.message) as { Response: { Error: { Message: string } } }
        return { RecordId: null, Status: 'fail', ErrMsg: Response.Error.Message }
      }
    })
  }
}

/** What is told of the records, by domain. */
export function details(job: Pick<Job, 'tasks'>, result: (i: number) => object, Status: string) {
  const domains = new Map(job.tasks.map(({ domain }) => [domain.id, domain]))
  return [...domains.values()].map(({ id, name }, Id) => ({
    RecordList: job.tasks.flatMap(({ domain, record, operation }, i) =>
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
