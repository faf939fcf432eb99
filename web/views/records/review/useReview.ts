import { useCallback, useEffect, useRef, useState } from 'react'
import { changed } from '../../../api/live/live.ts'
import { hasCode } from '../../../api/problems.ts'
import type { Emergency } from '../../../ui/plan/review.ts'
import { applyPlan, planEdits, settleFailed } from './applying.ts'
import { inPlans } from './changes.ts'
import type { Planned } from '../model.ts'
import type { Staged } from './staged.ts'

export interface Review {
  state: 'planning' | 'planned' | 'applying'
  plans: Planned[]
  error: unknown
  /** Changes applied before the error. */
  done: number
  plan: () => void
  /** The service asks for a review, and nothing was applied. */
  isRefused: boolean
  /** Applies the shown plan. Returns the change ids, or null if it was not fully applied. */
  apply: (emergency?: Emergency) => Promise<string[] | null>
}

/** Plans all staged edits and applies the plan. */
export function useReview(domainId: string, staged: Staged): Review {
  const [state, setState] = useState<Review['state']>('planning')
  const [plans, setPlans] = useState<Planned[]>([])
  const [error, setError] = useState<unknown>(null)
  const [done, setDone] = useState(0)
  const [isRefused, setRefused] = useState(false)
  const asked = useRef(0)

  const look = useCallback(
    (after: unknown) => {
      asked.current++
      const own = asked.current
      setState('planning')
      setError(after)
      const work = async () => {
        const all: Planned[] = []
        // Don't send changes again that may have been applied.
        const known = staged.entries().filter(([, { tried }]) => tried?.state !== 'pending')
        for (const edits of inPlans(known)) {
          all.push(await planEdits(domainId, edits))
        }
        return all
      }
      work().then(
        (all) => {
          // Only for the latest request.
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

  async function apply(emergency?: Emergency): Promise<string[] | null> {
    setState('applying')
    setError(null)
    setDone(0)
    const changeIds: string[] = []
    let finished = 0
    for (const planned of plans) {
      try {
        const changeId = await applyPlan(domainId, planned, staged, emergency)
        if (changeId !== null) changeIds.push(changeId)
        finished += planned.edits.length
      } catch (problem) {
        if (hasCode(problem, 'review_required')) {
          setRefused(true)
          setState('planned')
          return null
        }
        finished += await settleFailed(domainId, planned, staged, problem)
        setDone(finished)
        look(problem)
        return null
      }
    }
    changed('record', domainId)
    return changeIds
  }
  return { state, plans, error, done, plan, isRefused, apply }
}
