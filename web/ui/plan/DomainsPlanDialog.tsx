import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changed } from '../../api/live/live.ts'
import { operationQuery } from '../../api/queries/zones/changes.ts'
import { domainsPlanQuery } from '../../api/queries/zones/many-domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../page/Button.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { DomainsPlanView } from './DomainsPlanView.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'
import { OperationProgress } from '../feedback/OperationProgress.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'

interface DialogProps {
  title: string
  /** The plan, as the API returned it. */
  plan: Schemas['DomainsPlan']
  apply: (planId: string) => Promise<Schemas['AcceptedOperation']>
  /** Plans again after the plan became outdated. */
  onAgain: () => void
  onClose: () => void
}

/** Previews a plan over many domains, applies it as an operation and shows the results. */
export function DomainsPlanDialog({ title, plan: first, apply, onAgain, onClose }: DialogProps) {
  const m = useMessages('manyDomains')
  const words = m.manyDomains
  const { number } = useFormats()
  const client = useQueryClient()
  const [operation, setOperation] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const query = domainsPlanQuery(first.planId)
  const pages = useInfiniteQuery({
    ...query,
    initialData: { pages: [first], pageParams: [null] },
  })
  const { data: running } = useQuery({ ...operationQuery(operation ?? ''), enabled: operation !== null })
  const isOver = running !== undefined && running.outcome !== null
  const domains = pages.data.pages.flatMap((page) => page.domains)
  const { creates, updates, deletes, blocked, changedDomains, hidden } = first.totals
  const count = creates + updates + deletes

  useEffect(() => {
    if (!isOver) return
    void client.invalidateQueries({ queryKey: ['domains-plan', first.planId] })
    // Refresh all records at once instead of one call per domain.
    for (const key of ['records', 'changes', 'domain']) void client.invalidateQueries({ queryKey: [key] })
    changed('domain')
  }, [isOver, client, first.planId])

  async function confirm() {
    setPending(true)
    setError(null)
    try {
      setOperation((await apply(first.planId)).operation.id)
    } catch (problem) {
      setError(problem)
    }
    setPending(false)
  }
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
              isDisabled={count === 0}
              onPress={() => void confirm()}
            >
              {words.apply(count)}
            </Button>
            <Button onPress={onClose}>{m.common.cancel}</Button>
          </>
        ) : (
          <Button onPress={onClose}>{m.common.close}</Button>
        )
      }
    >
      {error !== null && (
        <ProblemNote
          error={error}
          actions={
            <Button icon="sync" onPress={onAgain}>
              {words.again}
            </Button>
          }
        />
      )}
      {operation === null ? (
        <p role="status">
          {count === 0
            ? blocked > 0
              ? words.nothingPossible
              : words.nothing
            : words.totals(words.changes(count), words.domains(changedDomains))}
        </p>
      ) : (
        <OperationProgress id={operation} />
      )}
      {operation !== null && isOver && <Note tone="info">{words.undoHint}</Note>}
      {hidden > 0 && <Note tone="warn">{words.hidden(hidden)}</Note>}
      <DomainsPlanView domains={domains} />
      {pages.hasNextPage && (
        <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {words.moreDomains} ({number(first.totals.domains - domains.length)})
        </Button>
      )}
    </Dialog>
  )
}
