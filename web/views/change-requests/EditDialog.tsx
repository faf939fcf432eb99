import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

interface EditProps {
  request: Schemas['ChangeRequest']
  onDone: (answer: Schemas['ChangeRequest']) => void
  onClose: () => void
}

/** Changes title and reason; the service plans the changes again. */
export function EditDialog({ request, onDone, onClose }: EditProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.editing
  const [title, setTitle] = useState(request.title)
  const [reason, setReason] = useState(request.reason)
  async function save() {
    const path = { id: request.id }
    onDone(await api.PUT('/api/change-requests/{id}', { path, body: { title, reason } }))
    toast(words.done)
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form fields={['title', 'reason']} onSubmit={save}>
        {(isPending) => (
          <>
            <TextField label={words.name} name="title" maxLength={200} value={title} onChange={setTitle} />
            <TextField
              optional
              label={words.reason}
              name="reason"
              help={words.help}
              rows={3}
              value={reason}
              onChange={setReason}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={title.trim() === ''}>
                {words.action}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
