import { useCallback, useEffect, useRef, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import { ApiProblem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { changeOf, inPlans } from './changes.ts'
import type { Edit } from './model.ts'
import type { Staged } from './staged.ts'

/** A plan of the service, with the edits that its indexes stand for. */
export interface Planned {
  edits: [string, Edit][]
  plan: Schemas['Plan']
}

export interface Review {
  state: 'planning' | 'planned' | 'applying'
  plans: Planned[]
  error: unknown
  plan: () => void
  /** Applies just what was shown. Answers the ids of the changes, or null where not all was done. */
  apply: () => Promise<string[] | null>
}

/** Asks what all staged edits would do, and does it. */
export function useReview(domainId: string, staged: Staged): Review {
  const [state, setState] = useState<Review['state']>('planning')
  const [plans, setPlans] = useState<Planned[]>([])
  const [error, setError] = useState<unknown>(null)
  const asked = useRef(0)

  const plan = useCallback(() => {
    asked.current++
    const own = asked.current
    setState('planning')
    setError(null)
    const work = async () => {
      const all: Planned[] = []
      for (const edits of inPlans(staged.entries())) {
        const changes = edits.map(([id, edit]) => changeOf(id, edit))
        const params = { path: { id: domainId } }
        const answer = await data(
          api.POST('/api/domains/{id}/records/plan', { params, body: { changes, keep: true } }),
        )
        all.push({ edits, plan: answer })
      }
      return all
    }
    work().then(
      (all) => {
        // Only of the last question.
        if (own !== asked.current) return
        setPlans(all)
        setState('planned')
      },
      (problem: unknown) => {
        if (own !== asked.current) return
        setError(problem)
        setState('planned')
      },
    )
  }, [domainId, staged])

  useEffect(() => plan(), [plan])

  async function apply(): Promise<string[] | null> {
    setState('applying')
    setError(null)
    const done: string[] = []
    try {
      for (const { edits, plan: one } of plans) {
        const params = { path: { id: domainId } }
        const answer = await data(
          api.POST('/api/domains/{id}/records/apply', { params, body: { planId: one.planId ?? '' } }),
        )
        if ('operation' in answer) continue
        if (answer.changeId !== null) done.push(answer.changeId)
        staged.settle(edits.map(([id]) => id))
      }
      return done
    } catch (problem) {
      setError(problem)
      const changeId = problem instanceof ApiProblem ? problem.problem.changeId : undefined
      if (changeId !== undefined) await forgetDone(domainId, changeId, staged).catch(() => undefined)
      setState('planned')
      return null
    } finally {
      changed('record', domainId)
    }
  }
  return { state, plans, error, plan, apply }
}

/** Of a change that was done in part: what was done is no edit any more. */
async function forgetDone(domainId: string, changeId: string, staged: Staged): Promise<void> {
  const params = { path: { id: domainId, changeId } }
  const change = await data(api.GET('/api/domains/{id}/changes/{changeId}', { params }))
  const applied = change.items.filter(({ outcome }) => outcome === 'applied')
  const same = (edit: Edit, after: Schemas['RecordContent'] | null) =>
    edit.kind === 'create' && after?.name === edit.fields.name && after.recordType === edit.fields.recordType
  const ids = staged
    .entries()
    .filter(([id, edit]) => applied.some(({ recordId, after }) => recordId === id || same(edit, after)))
    .map(([id]) => id)
  staged.settle(ids)
}
