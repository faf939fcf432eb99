import { useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { focusComment } from './Timeline.tsx'
import { useKeys } from '../../ui/hooks/useKeys.ts'

interface DecisionsProps {
  request: Schemas['ChangeRequest']
  /** The user has looked at the current revision. */
  isSeen: boolean
  onDone: (answer: Schemas['ChangeRequest']) => void
}

type Open = 'approve' | 'reject' | 'withdraw' | 'edit' | null

/** What the user may do with a request. */
export function Decisions({ request, isSeen, onDone }: DecisionsProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const [open, setOpen] = useState<Open>(null)
  const { id, status, canApprove, changeId, applyAt } = request
  const isWaiting = status === 'approved' && changeId === null && applyAt !== null
  const isAuthor = request.author.id === user?.id
  const mayApprove = canApprove && isSeen
  const mayWithdraw = isAuthor && (status === 'open' || status === 'outdated' || isWaiting)
  const mayEdit = isAuthor && changeId === null && !isWaiting && (mayWithdraw || status === 'failed')
  useKeys({
    a: () => mayApprove && setOpen('approve'),
    r: () => canApprove && setOpen('reject'),
    c: focusComment,
  })
  const close = () => setOpen(null)
  return (
    <>
      {canApprove && (
        <>
          <Button look="primary" icon="check" isDisabled={!isSeen} onPress={() => setOpen('approve')}>
            {words.approve}
          </Button>
          <Button icon="close" onPress={() => setOpen('reject')}>
            {words.reject}
          </Button>
        </>
      )}
      {mayEdit && (
        <Button icon="edit" onPress={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      {mayWithdraw && (
        <Button icon="undo" onPress={() => setOpen('withdraw')}>
          {words.withdraw}
        </Button>
      )}
      {open === 'approve' && <ApproveDialog request={request} onDone={onDone} onClose={close} />}
      {open === 'reject' && <RejectDialog id={id} onDone={onDone} onClose={close} />}
      {open === 'edit' && <EditDialog request={request} onDone={onDone} onClose={close} />}
      {open === 'withdraw' && (
        <Confirm
          title={words.withdrawing.title}
          action={words.withdraw}
          onConfirm={async () => {
            onDone(await api.POST('/api/change-requests/{id}/withdraw', { path: { id } }))
            toast(words.withdrawing.done)
          }}
          onClose={close}
        >
          <p>{words.withdrawing.about}</p>
        </Confirm>
      )}
    </>
  )
}
