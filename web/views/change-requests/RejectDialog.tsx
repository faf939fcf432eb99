import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

interface RejectProps {
  id: string
  onDone: (answer: Schemas['ChangeRequest']) => void
  onClose: () => void
}

/** Rejects a request with a reason. */
export function RejectDialog({ id, onDone, onClose }: RejectProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.rejecting
  const [reason, setReason] = useState('')
  async function reject() {
    onDone(await api.POST('/api/change-requests/{id}/reject', { path: { id }, body: { reason } }))
    toast(words.done)
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form fields={['reason']} onSubmit={reject}>
        {(isPending) => (
          <>
            <TextField
              autoFocus
              label={words.reason}
              name="reason"
              help={words.help}
              rows={3}
              value={reason}
              onChange={setReason}
            />
            <FormActions>
              <Button type="submit" look="danger" isPending={isPending} isDisabled={reason.trim() === ''}>
                {m.changeRequests.reject}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
