import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live.ts'
import { ApiProblem } from '../../../api/problems.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { changeOf } from './changes.ts'
import type { Edit, Planned } from '../model.ts'
import { settleBy } from './outcomes.ts'
import type { Staged } from './staged.ts'

/** Asks what edits would do, and has that kept, to be done just so. */
export async function planEdits(domainId: string, edits: [string, Edit][]): Promise<Planned> {
  const body = { changes: edits.map(([id, edit]) => changeOf(id, edit)), keep: true }
  const params = { path: { id: domainId } }
  return { edits, plan: await api.POST('/api/domains/{id}/records/plan', { ...params, body }) }
}

/** Does just what was planned, of which nothing is staged any more then. Answers the id of the change, null where nothing was one. */
export async function applyPlan(
  domainId: string,
  { edits, plan }: Planned,
  staged: Staged,
): Promise<string | null> {
  const params = { path: { id: domainId } }
  const body = { planId: plan.planId ?? '' }
  const answer = await api.POST('/api/domains/{id}/records/apply', { ...params, body })
  const { changeId } = 'operation' in answer ? await ended(answer.operation.id) : answer
  const own = edits.map(([id]) => id)
  const records = 'operation' in answer ? own : [...answer.creates, ...answer.updates].map(recordIdOf)
  staged.settle(own, records)
  return changeId
}

/**
 * After a plan that was not applied, or not as a whole: what was done of it is not staged any more, the others keep what
 * became of them. Answers how many were done.
 */
export async function settleFailed(
  domainId: string,
  planned: Planned,
  staged: Staged,
  problem: unknown,
): Promise<number> {
  const changeId = problem instanceof ApiProblem ? problem.problem.changeId : undefined
  // Where that is not to be had either, all of it stays staged, and the plan says what of it is still to do.
  const done = changeId === undefined ? 0 : await settleBy(domainId, changeId, planned, staged).catch(() => 0)
  changed('record', domainId)
  return done
}

const recordIdOf = ({ recordId }: Schemas['PlannedChange']) => recordId

/** How long between two looks at an operation. */
const LOOK_MS = 1500

/** Waits for an operation, as which a plan goes that changes more than was staged; rejects where not all was done. */
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
