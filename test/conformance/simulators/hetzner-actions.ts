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
  effect: () => void
}

let ids = 604_989_101_982_297

const isRunning = ({ action }: Work) => action.status === 'running'
const now = () => new Date().toISOString().replace(/\.\d+/, '')

/** The work of a project, which is taken first and done later. */
export class HetznerActions {
  /** How often the next action is asked about in vain. */
  unfinished = 0
  /** The next action fails without any effect. */
  failsNext = false
  readonly #works = new Map<number, Work>()

  /**
   * Begins an action on the zone. It says that it is running, however soon it is done. While another one is at work on
   * the zone it is refused.
   */
  start(command: string, zone: number, effect: () => void): HetznerAction {
    const isAtWork = (work: Work) => work.action.resources[0]?.id === zone && isRunning(work)
    if ([...this.#works.values()].some(isAtWork))
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
    const shown = structuredClone(action)
    const work = { action, effect }
    this.#works.set(action.id, work)
    if (this.unfinished === 0) this.#finish(work)
    return shown
  }

  /** How it stands now. */
  look(id: number): HetznerAction {
    const work = this.#works.get(id)
    if (work === undefined) throw failure(404, 'not_found', 'action not found')
    if (isRunning(work) && this.unfinished > 0) this.unfinished--
    else if (isRunning(work)) this.#finish(work)
    return structuredClone(work.action)
  }

  #finish({ action, effect }: Work): void {
    const fails = this.failsNext
    this.failsNext = false
    action.finished = now()
    action.status = fails ? 'error' : 'success'
    action.progress = fails ? 50 : 100
    if (fails) action.error = { code: 'action_failed', message: 'Action failed' }
    else effect()
  }
}
