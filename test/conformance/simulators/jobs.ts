import { Refused, isBody, type Body } from './answers.ts'

/** One change of a job. */
export interface Task {
  /** What the job's description shows. */
  info: Body
  /** Throws Refused. */
  run: () => unknown
}

/** What a task returned, or how it was refused; null: it failed without a reason. */
export type TaskResult = { ok: true; value: unknown } | { ok: false; refusal: Body | null }

export interface Job {
  id: number
  type: string
  tasks: Task[]
  createdAt: Date
  /** Null: the job is not done yet. */
  results: TaskResult[] | null
}

/** Changes of many records, each on its own, which are accepted first and done later. */
export class Jobs {
  /** How often a client asks before a job is done. */
  unfinished = 0
  /** Of several tasks the last one fails. */
  failsLast = false
  #jobs = new Map<number, Job>()
  #ids = 1_701_629

  start(type: string, tasks: Task[]): Job {
    const job: Job = { id: ++this.#ids, type, tasks, createdAt: new Date(), results: null }
    this.#jobs.set(job.id, job)
    if (this.unfinished <= 0) this.#run(job)
    return job
  }

  /** The job as the client that asks for it once more sees it. */
  ask(id: unknown): Job | undefined {
    const job = this.#jobs.get(Number(id))
    if (job === undefined) return undefined
    const isDone = this.unfinished-- <= 0
    if (isDone && job.results === null) this.#run(job)
    return isDone ? job : { ...job, results: null }
  }

  #run(job: Job): void {
    const last = this.failsLast && job.tasks.length > 1 ? job.tasks.at(-1) : undefined
    job.results = job.tasks.map((task) => (task === last ? { ok: false, refusal: null } : resultOf(task)))
  }
}

function resultOf({ run }: Task): TaskResult {
  try {
    return { ok: true, value: run() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const body: unknown = JSON.parse(error.message)
    return { ok: false, refusal: isBody(body) ? body : null }
  }
}
