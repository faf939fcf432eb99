import { useState } from 'react'
import type { PasswordQuestion } from '../../api/session/fresh-sign-in.ts'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/queries/account.ts'
import { signOut } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'

/** Asks for the password if a call requires it (see api/fresh-sign-in.ts). */
export function PasswordDialog({ answer, cancel }: PasswordQuestion) {
  const m = useMessages('shell', 'signIn')
  const { data: me } = useQuery(meQuery)
  const [password, setPassword] = useState('')
  if (me?.hasPassword === false) {
    return (
      <Dialog
        title={m.shell.confirmPassword}
        onClose={cancel}
        actions={<Button onPress={() => void signOut()}>{m.shell.signOut}</Button>}
      >
        <Note tone="warn">{m.shell.noPassword}</Note>
      </Dialog>
    )
  }
  return (
    <Dialog title={m.shell.confirmPassword} onClose={cancel}>
      <p>{m.shell.confirmPasswordWhy}</p>
      <Form fields={['password']} onSubmit={() => answer(password)}>
        {(isPending) => (
          <>
            <TextField
              label={m.signIn.password}
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onChange={setPassword}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.shell.confirm}
              </Button>
              <Button onPress={cancel}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
