import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { DomainsPlanDialog } from '../../ui/plan/DomainsPlanDialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'

/** Reverts an operation in all its domains, after a preview. */
export function UndoOperation({ id }: { id: string }) {
  const m = useMessages('history')
  const words = m.history
  const [plan, setPlan] = useState<Schemas['DomainsPlan'] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)

  async function look() {
    setPending(true)
    setPlan(null)
    setError(null)
    try {
      const answer = await revert(id, {}, true)
      if (!('planId' in answer)) throw new Error('Expected a plan, but an operation was started')
      setPlan(answer)
    } catch (problem) {
      setError(problem)
    }
    setPending(false)
  }
  async function apply(planId: string) {
    const answer = await revert(id, { planId }, false)
    if ('planId' in answer) throw new Error('A plan was answered where it was to be done')
    return answer
  }
  return (
    <>
      <Button icon="undo" isPending={isPending} onPress={() => void look()}>
        {words.undoOperation}
      </Button>
      {plan && (
        <DomainsPlanDialog
          key={plan.planId}
          title={words.undoOperationTitle}
          plan={plan}
          apply={apply}
          onAgain={() => void look()}
          onClose={() => setPlan(null)}
        />
      )}
      {error !== null && (
        <Dialog
          title={words.undoOperationTitle}
          onClose={() => setError(null)}
          actions={<Button onPress={() => setError(null)}>{m.common.close}</Button>}
        >
          <ProblemNote error={error} retry={() => void look()} />
        </Dialog>
      )}
    </>
  )
}

const revert = (id: string, body: { planId?: string }, dryRun: boolean) =>
  api.POST('/api/operations/{id}/revert', {
    path: { id },
    query: { dryRun, limit: 50 },
    body,
  })
