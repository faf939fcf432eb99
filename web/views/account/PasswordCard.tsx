import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Bar, Card, LinkButton } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

/** Password change; without a password, a link by email. */
export function PasswordCard({ me }: { me: Schemas['CurrentUser'] }) {
  const m = useMessages('account')
  const words = m.account.profile
  const [oldPassword, setOld] = useState('')
  const [newPassword, setNew] = useState('')
  if (!me.hasPassword) {
    return (
      <Card title={words.passwordTitle}>
        <p>{words.noPassword}</p>
        <Bar>
          <LinkButton to="/reset-password">{words.setPassword}</LinkButton>
        </Bar>
      </Card>
    )
  }
  async function submit() {
    await api.PUT('/api/auth/me/password', { body: { oldPassword, newPassword } })
    setOld('')
    setNew('')
    changed('account')
    toast(words.passwordChanged)
  }
  return (
    <Card title={words.passwordTitle}>
      <Form fields={['oldPassword', 'newPassword']} onSubmit={submit}>
        {(isPending) => (
          <>
            <Fields>
              <TextField
                label={words.oldPassword}
                name="oldPassword"
                type="password"
                autoComplete="current-password"
                value={oldPassword}
                onChange={setOld}
              />
              <TextField
                label={words.newPassword}
                name="newPassword"
                type="password"
                help={words.newPasswordHelp}
                autoComplete="new-password"
                value={newPassword}
                onChange={setNew}
              />
            </Fields>
            <FormActions>
              <Button type="submit" isPending={isPending}>
                {words.submitPassword}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Card>
  )
}
