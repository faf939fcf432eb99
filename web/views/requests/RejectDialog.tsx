import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

interface RejectProps {
  request: Schemas['AssignmentRequest']
  onClose: () => void
}

/** Rejects a request with a reason. */
export function RejectDialog({ request, onClose }: RejectProps) {
  const m = useMessages('requests')
  const words = m.requests.decide
  const [reason, setReason] = useState('')
  async function reject() {
    await api.POST('/api/assignments/requests/{id}/reject', {
      path: { id: request.id },
      body: { reason },
    })
    changed('assignment')
    toast(words.rejected)
    onClose()
  }
  return (
    <Dialog title={words.rejectTitle(request.username)} onClose={onClose}>
      <Form fields={['reason']} onSubmit={reject}>
        {(isPending) => (
          <>
            <TextField
              label={words.rejectReason}
              name="reason"
              help={words.rejectHelp}
              rows={3}
              value={reason}
              onChange={setReason}
            />
            <FormActions>
              <Button type="submit" look="danger" isPending={isPending}>
                {m.requests.reject}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
