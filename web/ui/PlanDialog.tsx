import { useCallback, useEffect, useState, type ReactNode } from 'react'
import type { Schemas } from '../api/schema.d.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { useMessages } from './language.tsx'
import { Loading } from './Loading.tsx'
import { OperationProgress } from './OperationProgress.tsx'
import { countOf, PlanView } from './PlanView.tsx'
import { ProblemNote } from './ProblemNote.tsx'

type Plan = Schemas['Plan']

/** What is answered to a deed: that it is done, or that it goes on as an operation. */
export type Deed = Schemas['AcceptedOperation'] | object

interface PlanDialogProps {
  title: string
  /** Said before the plan. */
  about?: ReactNode
  /** Asks what it would do. Another function asks again. */
  plan: () => Promise<Plan>
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
  onClose: () => void
}

/** Shows what something would do, and does just that. */
export function PlanDialog({
  title,
  about,
  plan: ask,
  apply,
  action,
  records,
  skipsConflicts = false,
  allowsNone = false,
  stays = false,
  onDone,
  onClose,
}: PlanDialogProps) {
  const m = useMessages()
  const [plan, setPlan] = useState<Plan | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const [operation, setOperation] = useState<string | null>(null)
  const look = useCallback(() => {
    let isCurrent = true
    setPlan(null)
    setError(null)
    ask().then(
      (found) => isCurrent && setPlan(found),
      (problem: unknown) => isCurrent && setError(problem),
    )
    return () => {
      isCurrent = false
    }
  }, [ask])
  useEffect(() => look(), [look])

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
            <Button onPress={onClose}>{m.common.cancel}</Button>
            <Button
              look="primary"
              sends
              isPending={isPending}
              isDisabled={!plan || isBlocked || (count === 0 && !allowsNone)}
              onPress={() => plan && void confirm(plan)}
            >
              {action(count)}
            </Button>
          </>
        ) : (
          <Button onPress={onClose}>{m.common.close}</Button>
        )
      }
    >
      {about}
      {error !== null && <ProblemNote error={error} retry={look} />}
      {operation !== null && <OperationProgress id={operation} />}
      {operation === null && !plan && error === null && <Loading lines={4} />}
      {operation === null && plan && <PlanView plan={plan} {...(records && { records })} />}
    </Dialog>
  )
}
