import { useCallback, useEffect, useRef, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import { ApiProblem } from '../../api/problems.ts'
import { changeOf, inPlans } from './changes.ts'
import type { Planned } from './model.ts'
import { settleBy } from './outcomes.ts'
import type { Staged } from './staged.ts'

export interface Review {
  state: 'planning' | 'planned' | 'applying'
  plans: Planned[]
  error: unknown
  /** So many were done before the error. */
  done: number
  plan: () => void
  /** Applies just what was shown. Answers the ids of the changes, or null where not all was done. */
  apply: () => Promise<string[] | null>
}

/** Asks what all staged edits would do, and does it. */
export function useReview(domainId: string, staged: Staged): Review {
  const [state, setState] = useState<Review['state']>('planning')
  const [plans, setPlans] = useState<Planned[]>([])
  const [error, setError] = useState<unknown>(null)
  const [done, setDone] = useState(0)
  const asked = useRef(0)

  const look = useCallback(
    (after: unknown) => {
      asked.current++
      const own = asked.current
      setState('planning')
      setError(after)
      const work = async () => {
        const all: Planned[] = []
        // What may be done already must not be done twice.
        const known = staged.entries().filter(([, { tried }]) => tried?.state !== 'pending')
        for (const edits of inPlans(known)) {
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
    },
    [domainId, staged],
  )
  const plan = useCallback(() => {
    setDone(0)
    look(null)
  }, [look])

  useEffect(() => plan(), [plan])

  async function apply(): Promise<string[] | null> {
    setState('applying')
    setError(null)
    setDone(0)
    const changeIds: string[] = []
    let finished = 0
    for (const planned of plans) {
      const params = { path: { id: domainId } }
      try {
        const body = { planId: planned.plan.planId ?? '' }
        const answer = await data(api.POST('/api/domains/{id}/records/apply', { params, body }))
        const done = 'operation' in answer ? await ended(answer.operation.id) : answer
        if (done.changeId !== null) changeIds.push(done.changeId)
        staged.settle(planned.edits.map(([id]) => id))
        finished += planned.edits.length
      } catch (problem) {
        const changeId = problem instanceof ApiProblem ? problem.problem.changeId : undefined
        // Where that is not to be had either, all of it stays staged, and the plan says what of it is still to do.
        if (changeId !== undefined)
          finished += await settleBy(domainId, changeId, planned, staged).catch(() => 0)
        changed('record', domainId)
        setDone(finished)
        look(problem)
        return null
      }
    }
    changed('record', domainId)
    return changeIds
  }
  return { state, plans, error, done, plan, apply }
}

/** How long between two looks at an operation. */
const LOOK_MS = 1500

/** Waits for an operation, as which a plan goes that changes more than was staged; rejects where not all was done. */
async function ended(id: string): Promise<{ changeId: string | null }> {
  for (;;) {
    const operation = await data(api.GET('/api/operations/{id}', { params: { path: { id } } }))
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
