import { useCallback, useEffect, useRef, useState } from 'react'
import { changed } from '../../../api/live/live.ts'
import { hasCode } from '../../../api/problems.ts'
import type { How } from '../../../ui/plan/PlanDialog.tsx'
import { applyPlan, planEdits, settleFailed, type Made } from './applying.ts'
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
  /** Applies the shown plan, or schedules it. Returns the changes, or null if it was not fully done. */
  apply: (how: How) => Promise<Made[] | null>
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

  async function apply(how: How): Promise<Made[] | null> {
    setState('applying')
    setError(null)
    setDone(0)
    const made: Made[] = []
    let finished = 0
    for (const planned of plans) {
      try {
        made.push(await applyPlan(domainId, planned, staged, how))
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
    return made
  }
  return { state, plans, error, done, plan, isRefused, apply }
}
