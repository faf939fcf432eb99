import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { ApiProblem, hasCode } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../page/Button.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { useMessages } from '../language.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { Note } from '../feedback/Note.tsx'
import { OperationProgress } from '../feedback/OperationProgress.tsx'
import { countOf, PlanView } from './PlanView.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'

type Plan = Schemas['Plan']

/** What is answered to a deed: that it is done, or that it goes on as an operation. */
export type Deed = Schemas['AcceptedOperation'] | object

interface PlanDialogProps {
  title: string
  /** Said before the plan. */
  about?: ReactNode
  /** Asks what it would do. Another function asks again. */
  plan: () => Promise<Plan>
  /** What it would do, where that is known already: it is asked only when that does not hold any more. */
  planned?: Plan
  apply: (plan: Plan) => Promise<Deed>
  /** What the button says. */
  action: (count: number) => string
  /** Those of the zone that it is about, where they are known. */
  records?: readonly Schemas['DnsRecord'][]
  /** What stands in the way is left out. */
  skipsConflicts?: boolean
  /** It is worth doing though no record changes. */
  allowsNone?: boolean
  /** What comes next is drawn by who opened it: it does not close by itself. */
  stays?: boolean
  /** After it was done; the answer. */
  onDone: (deed: Deed) => void
  /** How an operation ended, where that was still seen here. */
  onEnd?: (outcome: Schemas['OperationOutcome']) => void
  onClose: () => void
}

/** Shows what something would do, and does just that. */
export function PlanDialog({
  title,
  about,
  plan: ask,
  planned,
  apply,
  action,
  records,
  skipsConflicts = false,
  allowsNone = false,
  stays = false,
  onDone,
  onEnd,
  onClose,
}: PlanDialogProps) {
  const m = useMessages()
  const [plan, setPlan] = useState<Plan | null>(planned ?? null)
  const [error, setError] = useState<unknown>(null)
  /** It was refused: what is shown can't be applied any more. A lost answer is no refusal, and the same may be sent again. */
  const [isSpent, setSpent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [operation, setOperation] = useState<string | null>(null)
  const look = useCallback(() => {
    let isCurrent = true
    setPlan(null)
    setError(null)
    setSpent(false)
    ask().then(
      (found) => isCurrent && setPlan(found),
      (problem: unknown) => isCurrent && setError(problem),
    )
    return () => {
      isCurrent = false
    }
  }, [ask])
  useEffect(() => (planned ? undefined : look()), [planned, look])

  async function confirm(shown: Plan) {
    setPending(true)
    setError(null)
    try {
      const deed = await apply(shown)
      onDone(deed)
      if ('operation' in deed) setOperation(deed.operation.id)
      else if (!stays) onClose()
    } catch (problem) {
      setError(problem)
      setSpent(problem instanceof ApiProblem)
    }
    setPending(false)
  }
  const count = plan ? countOf(plan) : 0
  const isBlocked = plan !== null && plan.conflicts.length > 0 && !skipsConflicts
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      actions={
        operation === null ? (
          <>
            <Button
              look="primary"
              sends
              isPending={isPending}
              isDisabled={!plan || isBlocked || isSpent || (count === 0 && !allowsNone)}
              onPress={() => plan && void confirm(plan)}
            >
              {action(count)}
            </Button>
            <Button onPress={onClose}>{m.common.cancel}</Button>
          </>
        ) : (
          <Button onPress={onClose}>{m.common.close}</Button>
        )
      }
    >
      {about}
      {isSpent && isGone(error) ? (
        <Note
          tone="bad"
          alert
          actions={
            <Button icon="sync" onPress={look}>
              {m.common.tryAgain}
            </Button>
          }
        >
          {m.problems.byCode.plan_outdated}
        </Note>
      ) : (
        error !== null && <ProblemNote error={error} retry={look} />
      )}
      {operation !== null && <OperationProgress id={operation} {...(onEnd && { onEnd })} />}
      {operation === null && !plan && error === null && <Loading lines={4} />}
      {operation === null && plan && <PlanView plan={plan} {...(records && { records })} />}
    </Dialog>
  )
}

/** A kept plan is there for an hour, and for one try. */
const isGone = (error: unknown) => hasCode(error, 'plan_outdated') || hasCode(error, 'not_found')
