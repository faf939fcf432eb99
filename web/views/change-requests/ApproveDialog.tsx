import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiProblem } from '../../api/problems.ts'
import { changeRequestQuery } from '../../api/queries/zones/change-requests.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { readable, visible } from '../../ui/visible.ts'

interface ApproveProps {
  request: Schemas['ChangeRequest']
  onDone: (answer: Schemas['ChangeRequest']) => void
  onClose: () => void
}

/** Approves the shown revision, which applies it. */
export function ApproveDialog({ request, onDone, onClose }: ApproveProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.approving
  const client = useQueryClient()
  const [text, setText] = useState('')
  const { moment } = useFormats()
  const { id, revision, created, updated, deleted, domainName, applyAt } = request
  const about = [created + updated + deleted, visible(readable(domainName))] as const

  async function approve() {
    try {
      const answer = await api.POST('/api/change-requests/{id}/approve', {
        path: { id },
        body: { revision, ...(text.trim() !== '' && { text }) },
      })
      onDone(answer)
      const { status } = answer
      if (status === 'approved' && applyAt !== null) toast(words.later)
      else toast(status in words ? words[status as 'applied'] : words.approved)
    } catch (problem) {
      if (!isEdited(problem)) throw problem
      // The page shows what changed.
      await client.invalidateQueries({ queryKey: changeRequestQuery(id).queryKey })
    }
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form fields={['text']} onSubmit={approve}>
        {(isPending) => (
          <>
            <p>{applyAt === null ? words.about(...about) : words.aboutLater(...about, moment(applyAt))}</p>
            <TextField optional label={words.remark} name="text" rows={2} value={text} onChange={setText} />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
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

/** Somebody edited the request meanwhile. */
const isEdited = (problem: unknown) =>
  problem instanceof ApiProblem && problem.problem.reason === 'request_changed'
