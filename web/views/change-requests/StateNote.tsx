import { useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { LinkButton } from '../../ui/page/Page.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { ToldProblem } from '../../ui/feedback/ToldProblem.tsx'
import { visible } from '../../ui/visible.ts'
import { TONES } from './StatusBadge.tsx'

interface StateProps {
  request: Schemas['ChangeRequest']
  onDone: (answer: Schemas['ChangeRequest']) => void
}

/** The state of a request in words, and the next step. */
export function StateNote({ request, onDone }: StateProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests
  const { ago, moment } = useFormats()
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { applyAt, confirmWithin } = request
  const { id, status, author, approver, approvedAt, changeId, domainId, problem, timeline } = request
  const openAs = request.canApprove ? 'waiting' : author.id === user?.id ? 'own' : 'open'
  const rejection = status === 'rejected' && timeline.findLast(({ kind }) => kind === 'rejected')
  // A request with a change can't be planned again: part of it may be applied.
  const canPlan = (status === 'outdated' || status === 'failed') && changeId === null
  const isPlanned = status === 'open' || status === 'approved'
  /** Approved, and waiting for its time. */
  const isWaiting = status === 'approved' && changeId === null && applyAt !== null
  const mayApply = isWaiting && (user?.role === 'admin' || approver?.id === user?.id)
  const apply = async () => {
    onDone(await api.POST('/api/change-requests/{id}/apply', { path: { id } }))
  }
  const plan = async () => {
    onDone(await api.PUT('/api/change-requests/{id}', { path: { id }, body: {} }))
    toast(words.plannedAgain)
  }
  return (
    <Note
      tone={openAs === 'waiting' ? 'warn' : TONES[status]}
      {...((canPlan || mayApply || changeId !== null) && {
        actions: (
          <>
            {canPlan && (
              <ActionButton icon="sync" onAct={plan}>
                {words.planAgain}
              </ActionButton>
            )}
            {mayApply && (
              <ActionButton icon="check" onAct={apply}>
                {words.applyNow}
              </ActionButton>
            )}
            {changeId !== null && (
              <LinkButton
                to="/domains/$id/history"
                params={{ id: domainId }}
                search={{ change: changeId }}
                icon="history"
              >
                {words.showChange}
              </LinkButton>
            )}
          </>
        ),
      })}
    >
      {status === 'open' ? words.state[openAs] : isWaiting ? words.state.scheduled : words.state[status]}
      {approver !== null && approvedAt !== null && (
        <>
          {m.common.gap}
          {words.approvedBy(visible(approver.name), ago(approvedAt))}
        </>
      )}
      {isPlanned && applyAt !== null && <p>{words.appliesAt(moment(applyAt), ago(applyAt))}</p>}
      {isPlanned && confirmWithin !== null && <p>{words.confirmWithin(confirmWithin)}</p>}
      {rejection && rejection.text !== '' && <p>{visible(rejection.text)}</p>}
      {problem && <ToldProblem problem={problem} />}
    </Note>
  )
}
