import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiProblem } from '../../api/problems.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { UserField } from '../../ui/form-parts/UserField.tsx'

interface DeleteProps {
  id: string
  username: string
  onClose: (isDone?: boolean) => void
}

/** Id of the account with that name; undefined if not found. */
async function idOf(username: string): Promise<string | undefined> {
  const search = username.trim().toLowerCase()
  const { users } = await api.GET('/api/users', { query: { search, limit: 100 } })
  return users.find((one) => one.username === search)?.id
}

/** Deletes an account; first asks for the new owner of its domains and connections. */
export function DeleteUser({ id, username, onClose }: DeleteProps) {
  const m = useMessages('users')
  const { list } = useFormats()
  const words = m.users.user
  const [typed, setTyped] = useState('')
  const [owned, setOwned] = useState<Record<string, number> | null>(null)
  const [heir, setHeir] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const what = (all: Record<string, number>) =>
    list(
      Object.entries(all).map(([name, count]) => words.owned[name]?.(count) ?? words.ownedOther(count, name)),
    )
  async function submit() {
    const transferTo = owned === null ? null : await idOf(heir)
    setUnknown(transferTo === undefined)
    if (transferTo === undefined) return
    const query = transferTo === null ? {} : { transferTo }
    try {
      await api.DELETE('/api/users/{id}', { path: { id }, query })
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.problem.owned === undefined) throw error
      setOwned(error.problem.owned)
      return
    }
    onClose(true)
  }
  return (
    <Dialog role="alertdialog" title={words.deleteTitle(username)} onClose={() => onClose()}>
      <p>{words.deleteText}</p>
      <Form fields={['username']} onSubmit={submit}>
        {(isPending) => (
          <>
            {owned === null ? (
              <TextField
                mono
                label={m.common.typeToConfirm(username)}
                autoFocus
                autoComplete="off"
                value={typed}
                onChange={setTyped}
              />
            ) : (
              <>
                <Note tone="warn" alert>
                  {words.owns(username, what(owned))}
                </Note>
                <UserField label={words.heir} value={heir} onChange={setHeir} />
                {isUnknown && (
                  <Note tone="bad" alert>
                    {words.needHeir}
                  </Note>
                )}
              </>
            )}
            <FormActions>
              <Button
                type="submit"
                look="danger"
                isPending={isPending}
                isDisabled={typed.trim() !== username || (owned !== null && heir.trim() === '')}
              >
                {words.delete}
              </Button>
              <Button onPress={() => onClose()}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
