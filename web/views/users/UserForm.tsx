import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { RoleField } from './RoleField.tsx'

/** Names and role of an account; effective from its next request. */
export function UserForm({ user }: { user: Schemas['User'] }) {
  const m = useMessages('users')
  const words = m.users.form
  const [displayName, setDisplayName] = useState(user.displayName ?? '')
  const [email, setEmail] = useState(user.email ?? '')
  const [role, setRole] = useState(user.role)
  const isPerson = user.kind === 'person'
  async function submit() {
    const wanted = email.trim() || null
    const body = {
      displayName: displayName.trim() || null,
      role,
      // A changed address would have to be confirmed again.
      ...(isPerson && wanted !== user.email && { email: wanted }),
    }
    await api.PUT('/api/users/{id}', { path: { id: user.id }, body })
    changed('user')
    toast(m.common.saved)
  }
  return (
    <Card title={m.users.user.account}>
      <Form fields={['displayName', 'email', 'role']} onSubmit={submit}>
        {(isPending) => (
          <>
            <Fields>
              <TextField
                optional
                label={words.displayName}
                name="displayName"
                autoComplete="off"
                value={displayName}
                onChange={setDisplayName}
              />
              {isPerson && (
                <TextField
                  optional
                  label={words.email}
                  name="email"
                  type="email"
                  autoComplete="off"
                  value={email}
                  onChange={setEmail}
                />
              )}
            </Fields>
            <RoleField value={role} onChange={setRole} />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.common.save}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Card>
  )
}
