import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { hasCode, type Problem } from '../../api/problems.ts'
import { mirrorsQuery } from '../../api/queries/zones/mirrors.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm, Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { countOf, PlanView } from '../../ui/plan/PlanView.tsx'

interface CompareProps {
  domain: Schemas['Domain']
  mirror: Schemas['Mirror']
  /** Of its connection. */
  name: string
  onClose: () => void
}

/** Plans what makes a mirror the same as its domain, and does it; many deletions are confirmed by typing the name. */
export function CompareDialog({ domain, mirror, name, onClose }: CompareProps) {
  const m = useMessages('mirrors')
  const words = m.mirrors
  const client = useQueryClient()
  const path = { id: domain.id, mirrorId: mirror.id }
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [much, setMuch] = useState<Problem | null>(null)
  const {
    data: compared,
    error,
    refetch,
  } = useQuery({
    queryKey: ['mirror-comparison', mirror.id],
    async queryFn({ signal }) {
      const found = await api.POST('/api/domains/{id}/mirrors/{mirrorId}/compare', { path, signal })
      // It has stored how many records differ.
      void client.invalidateQueries({ queryKey: mirrorsQuery(domain.id).queryKey })
      return found
    },
    // Only on request, as it calls the provider.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

  async function sync(force: boolean) {
    const query = { force }
    const { queued } = await api.POST('/api/domains/{id}/mirrors/{mirrorId}/sync', { path, query })
    toast(queued ? words.queued : words.synced)
    changed('domain', domain.id)
    onClose()
  }
  async function start() {
    setPending(true)
    setProblem(null)
    try {
      await sync(false)
    } catch (failure) {
      if (hasCode(failure, 'confirmation_required')) setMuch(failure.problem)
      else setProblem(failure)
    }
    setPending(false)
  }
  if (much)
    return (
      <Confirm
        title={words.muchTitle}
        action={words.force(much.deleted ?? 0)}
        typed={domain.name}
        onConfirm={() => sync(true)}
        onClose={onClose}
      >
        <p>{words.much(much.deleted ?? 0)}</p>
        <p>{words.muchWhy}</p>
      </Confirm>
    )
  const count = compared ? countOf(compared.plan) : 0
  const canSync = compared && (count > 0 || compared.mirror.state !== 'in_step')
  return (
    <Dialog
      wide
      title={words.compareTitle(name)}
      onClose={onClose}
      actions={
        <>
          {canSync && (
            <Button look="primary" icon="sync" sends isPending={isPending} onPress={() => void start()}>
              {words.sync(count)}
            </Button>
          )}
          <Button onPress={onClose}>{m.common.close}</Button>
        </>
      }
    >
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {problem !== null && <ProblemNote error={problem} />}
      {!compared && !error && (
        <>
          <p role="status">{words.comparing}</p>
          <Loading lines={4} />
        </>
      )}
      {compared && count === 0 && compared.plan.conflicts.length === 0 && (
        <Note tone="good">{words.same}</Note>
      )}
      {compared && (count > 0 || compared.plan.conflicts.length > 0) && (
        <>
          <p>{words.compareAbout}</p>
          <PlanView plan={compared.plan} />
        </>
      )}
    </Dialog>
  )
}
