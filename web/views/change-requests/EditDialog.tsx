import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { LaterFields } from '../../ui/plan/late-later.ts'
import type { ChosenLater } from '../../ui/plan/later.ts'
import { wantedOf } from '../../ui/plan/review.ts'
import { toast } from '../../ui/feedback/Toast.tsx'
import { RequestedChanges } from './RequestedChanges.tsx'

interface EditProps {
  request: Schemas['ChangeRequest']
  onDone: (answer: Schemas['ChangeRequest']) => void
  onClose: () => void
}

/** Changes title, reason and times, and leaves changes out; the service plans the rest again. */
export function EditDialog({ request, onDone, onClose }: EditProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.editing
  const [title, setTitle] = useState(request.title)
  const [reason, setReason] = useState(request.reason)
  const { applyAt, confirmWithin, plan } = request
  const [later, setLater] = useState<ChosenLater>({ isTimed: applyAt !== null, applyAt, confirmWithin })
  const [changes] = useState([...plan.deletes, ...plan.updates, ...plan.creates])
  const [leftOut, setLeftOut] = useState<ReadonlySet<(typeof changes)[number]>>(new Set())
  const at = later.isTimed ? later.applyAt : null
  const isReady = title.trim() !== '' && leftOut.size < changes.length && (!later.isTimed || at !== null)
  async function save() {
    const path = { id: request.id }
    const body = {
      title,
      reason,
      // Times that stay are not sent: they may be over by now.
      ...(at !== applyAt && { applyAt: at }),
      ...(later.confirmWithin !== confirmWithin && { confirmWithin: later.confirmWithin }),
      ...(leftOut.size > 0 && wantedOf(changes.filter((one) => !leftOut.has(one)))),
    }
    onDone(await api.PUT('/api/change-requests/{id}', { path, body }))
    toast(words.done)
    onClose()
  }
  return (
    <Dialog wide title={words.title} onClose={onClose}>
      <Form fields={['title', 'reason', 'applyAt', 'confirmWithin']} onSubmit={save}>
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
            <Suspense>
              <LaterFields value={later} onChange={setLater} />
            </Suspense>
            <section aria-labelledby="edited-changes" className="stack">
              <h3 id="edited-changes">{words.changes}</h3>
              <RequestedChanges changes={changes} leftOut={leftOut} onChange={setLeftOut} />
            </section>
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={!isReady}>
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
