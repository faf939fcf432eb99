import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import { ApiProblem } from '../../../api/problems.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import type { Emergency } from '../../../ui/plan/review.ts'
import { changeOf } from './changes.ts'
import type { Edit, Planned } from '../model.ts'
import { settleBy } from './outcomes.ts'
import type { Staged } from './staged.ts'

/** Plans edits and has the plan kept, so that exactly it can be applied. */
export async function planEdits(domainId: string, edits: [string, Edit][]): Promise<Planned> {
  const body = { changes: edits.map(([id, edit]) => changeOf(id, edit)), keep: true }
  const params = { path: { id: domainId } }
  return { edits, plan: await api.POST('/api/domains/{id}/records/plan', { ...params, body }) }
}

/** Applies a kept plan, in an emergency without review, and unstages its edits. Returns the change id, or null without a change. */
export async function applyPlan(
  domainId: string,
  { edits, plan }: Planned,
  staged: Staged,
  emergency?: Emergency,
): Promise<string | null> {
  const params = { path: { id: domainId } }
  const body = { planId: plan.planId ?? '', ...emergency }
  const answer = await api.POST('/api/domains/{id}/records/apply', { ...params, body })
  const { changeId } = 'operation' in answer ? await ended(answer.operation.id) : answer
  const own = edits.map(([id]) => id)
  const records = 'operation' in answer ? own : [...answer.creates, ...answer.updates].map(recordIdOf)
  staged.settle(own, records)
  return changeId
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
