import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import { ApiProblem } from '../../../api/problems.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import type { How } from '../../../ui/plan/PlanDialog.tsx'
import { scheduledFor } from '../../../ui/plan/later.ts'
import { changeOf } from './changes.ts'
import type { Edit, Planned } from '../model.ts'
import { settleBy } from './settled.ts'
import type { Staged } from './staged.ts'

/** Plans edits and has the plan kept, so that exactly it can be applied. */
export async function planEdits(domainId: string, edits: [string, Edit][]): Promise<Planned> {
  const body = { changes: edits.map(([id, edit]) => changeOf(id, edit)), keep: true }
  const params = { path: { id: domainId } }
  return { edits, plan: await api.POST('/api/domains/{id}/records/plan', { ...params, body }) }
}

/** What became of a plan: its change, and the time that it waits for. */
export interface Made {
  changeId: string | null
  at: string | null
}

/** Applies a kept plan, or schedules it, and unstages its edits. Returns the change, if one was made, and the time it waits for. */
export async function applyPlan(
  domainId: string,
  { edits, plan }: Planned,
  staged: Staged,
  how: How = {},
): Promise<Made> {
  const params = { path: { id: domainId } }
  const body = { planId: plan.planId ?? '', ...how }
  const answer = await api.POST('/api/domains/{id}/records/apply', { ...params, body })
  const at = scheduledFor(answer)
  const { changeId } = 'operation' in answer ? await ended(answer.operation.id) : answer
  const own = edits.map(([id]) => id)
  const records =
    at !== null ? [] : 'operation' in answer ? own : [...answer.creates, ...answer.updates].map(recordIdOf)
  staged.settle(own, records)
  return { changeId, at }
}

/**
 * After a failed or partial apply: unstages applied edits and marks the others with their outcome. Returns the number
 * applied.
 */
export async function settleFailed(
  domainId: string,
  planned: Planned,
  staged: Staged,
  problem: unknown,
): Promise<number> {
  const changeId = problem instanceof ApiProblem ? problem.problem.changeId : undefined
  // Without that, everything stays staged and the next plan shows what is left.
  const done = changeId === undefined ? 0 : await settleBy(domainId, changeId, planned, staged).catch(() => 0)
  changed('record', domainId)
  return done
}

const recordIdOf = ({ recordId }: Schemas['PlannedChange']) => recordId

/** Polling interval of an operation, in milliseconds. */
const LOOK_MS = 1500

/** Waits for the operation of a large plan; rejects if it was not fully applied. */
async function ended(id: string): Promise<{ changeId: string | null }> {
  for (;;) {
    const operation = await api.GET('/api/operations/{id}', { path: { id } })
    const { state, outcome, problem, changeId } = operation
    if (state === 'finished') {
      if (outcome === 'succeeded') return { changeId }
      const { code = 'provider_error', detail = '' } = problem ?? {}
      const others = { type: 'about:blank', title: '', status: 502, requestId: '' }
      throw new ApiProblem({ ...others, code, detail, ...(changeId !== null && { changeId }) })
    }
    await new Promise((next) => setTimeout(next, LOOK_MS))
  }
}
