import { Refused } from './answers.ts'

/** What became of one task of a job: what it answered, or why it failed. */
export type TaskResult = { ok: true; value: unknown } | { ok: false; refusal: Refused | null }

export interface Job<T> {
  id: number
  type: string
  tasks: T[]
  createdAt: Date
  /** Null: it is not done yet. */
  results: TaskResult[] | null
}

/** Changes of many records, each on its own, which are taken first and done later. */
export class Jobs<T extends { run: () => unknown }> {
  /** How often it is asked in vain whether one is done. */
  unfinished = 0
  /** Of several the last one fails. */
  failsLast = false
  #jobs = new Map<number, Job<T>>()
  #ids = 1_701_629

  start(type: string, tasks: T[]): Job<T> {
    const job: Job<T> = { id: ++this.#ids, type, tasks, createdAt: new Date(), results: null }
    this.#jobs.set(job.id, job)
    if (this.unfinished <= 0) this.#run(job)
    return job
  }

  /** The last one. */
  get latest(): Job<T> | undefined {
    return this.#jobs.get(this.#ids)
  }

  /** As it is when it was asked for once more: without results, it is not done. */
  ask(id: number): Job<T> | undefined {
    const job = this.#jobs.get(id)
    if (job === undefined) return undefined
    const isDone = this.unfinished-- <= 0
    if (isDone && job.results === null) this.#run(job)
    return isDone ? job : { ...job, results: null }
  }

  #run(job: Job<T>): void {
    job.results = job.tasks.map(({ run }, i) => {
      if (this.failsLast && job.tasks.length > 1 && i === job.tasks.length - 1)
        return { ok: false, refusal: null }
      try {
        return { ok: true, value: run() }
      } catch (error) {
        if (error instanceof Refused) return { ok: false, refusal: error }
        throw error
      }
    })
  }
}
