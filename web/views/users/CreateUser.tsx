import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { RoleField } from './RoleField.tsx'

const KINDS = ['person', 'machine'] as const

/** Creates an account of a person or a machine. */
export function CreateUser({ onClose }: { onClose: () => void }) {
  const m = useMessages('users')
  const words = m.users.form
  const navigate = useNavigate()
  const site = useSite()
  const [kind, setKind] = useState<Schemas['AccountKind']>('person')
  const [username, setUsername] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Schemas['Role']>('member')
  const [password, setPassword] = useState('')
  const isPerson = kind === 'person'
  async function submit() {
    const body = {
      kind,
      username: username.trim(),
      role,
      ...(displayName.trim() !== '' && { displayName: displayName.trim() }),
      ...(isPerson && email.trim() !== '' && { email: email.trim() }),
      ...(isPerson && password !== '' && { password }),
    }
    const user = await api.POST('/api/users', { body })
    changed('user')
    toast(words.made(user.username))
    await navigate({ to: '/users/$id', params: { id: user.id } })
  }
  return (
    <Dialog title={m.users.add} onClose={onClose}>
      <Form fields={['username', 'displayName', 'email', 'role', 'password']} onSubmit={submit}>
        {(isPending) => (
          <>
            <RadioGroup
              label={words.kind}
              value={kind}
              onChange={setKind}
              options={KINDS.map((id) => ({ id, text: m.users.kinds[id], note: m.users.kindNotes[id] }))}
            />
            <TextField
              label={words.username}
              name="username"
              help={words.usernameHelp}
              autoFocus
              autoComplete="off"
              value={username}
              onChange={setUsername}
            />
            <TextField
              optional
              label={words.displayName}
              name="displayName"
              autoComplete="off"
              value={displayName}
              onChange={setDisplayName}
            />
            {isPerson && (
              <>
                <TextField
                  optional
                  label={words.email}
                  name="email"
                  type="email"
                  autoComplete="off"
                  value={email}
                  onChange={setEmail}
                />
                <TextField
                  optional={site?.emailEnabled === true}
                  label={words.password}
                  name="password"
                  type="password"
                  help={site?.emailEnabled ? words.passwordOrMail : words.passwordHelp}
                  autoComplete="new-password"
                  value={password}
                  onChange={setPassword}
                />
              </>
            )}
            <RoleField value={role} onChange={setRole} />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.submit}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
