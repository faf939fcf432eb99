import { Refused, json } from './answers.ts'

/** Ends the request as Hetzner's API does. */
export const failure = (status: number, code: string, message: string, details: unknown = null) =>
  new Refused(json(status, { error: { code, message, details } }))

/** What Hetzner is at work on. */
export interface HetznerAction {
  id: number
  command: string
  status: 'running' | 'success' | 'error'
  progress: number
  started: string
  finished: string | null
  resources: { id: number; type: string }[]
  error: { code: string; message: string } | null
}

interface Work {
  action: HetznerAction
  /** How often it is still asked in vain. */
  polls: number
  fails: boolean
  effect: () => void
}

let ids = 604_989_101_982_297

/** The work of a project, which is taken first and done later. */
export class HetznerActions {
  readonly #works = new Map<number, Work>()
  #next = { polls: 0, fails: false }
  #delayed: Work | null = null

  /** The next action is asked about so often in vain; then it is done, or has failed without any effect. */
  delayNext(polls: number, { fails = false } = {}): void {
    this.#next = { polls, fails }
  }

  /** How often can still be asked in vain. */
  left(): number {
    return this.#next.polls + (this.#delayed?.polls ?? 0)
  }

  /**
   * Begins an action on the zone. It says that it is running, however soon it is done. While another one is at work on
   * the zone it is refused.
   */
  start(command: string, zone: number, effect: () => void): HetznerAction {
    if ([...this.#works.values()].some(({ action }) => action.resources[0]?.id === zone && isRunning(action)))
      throw failure(423, 'locked', 'zone is locked because another action is running')
    const action: HetznerAction = {
      id: ++ids,
      command,
      status: 'running',
      progress: 0,
      started: now(),
      finished: null,
      resources: [{ id: zone, type: 'zone' }],
      error: null,
    }
    const work = { action, effect, ...this.#next }
    this.#works.set(action.id, work)
    if (work.polls > 0) this.#delayed = work
    this.#next = { polls: 0, fails: false }
    const shown = structuredClone(action)
    if (work.polls === 0) finish(work)
    return shown
  }

  /** How it stands now. */
  look(id: number): HetznerAction {
    const work = this.#works.get(id)
    if (work === undefined) throw failure(404, 'not_found', 'action not found')
    if (work.polls > 0) work.polls--
    else if (isRunning(work.action)) finish(work)
    return structuredClone(work.action)
  }
}

const isRunning = ({ status }: HetznerAction) => status === 'running'
const now = () => new Date().toISOString().replace(/\.\d+/, '')

function finish({ action, fails, effect }: Work): void {
  action.finished = now()
  action.status = fails ? 'error' : 'success'
  if (fails) action.error = { code: 'action_failed', message: 'Action failed' }
  else effect()
  action.progress = fails ? 50 : 100
}
