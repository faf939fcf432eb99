import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { Confirm, Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar, Card, Facts } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

/** Sign-in state of an account, and recovery for users locked out. */
export function SignIn({ user }: { user: Schemas['User'] }) {
  const m = useMessages('users')
  const { list, ago } = useFormats()
  const words = m.users.user
  const [asked, setAsked] = useState<'password' | 'sessions' | 'factors' | null>(null)
  const path = { id: user.id }
  const close = (isDone: boolean | undefined, text: string) => {
    setAsked(null)
    if (!isDone) return
    changed('user')
    toast(text)
  }
  return (
    <Card title={words.signIn}>
      <Facts
        facts={[
          [words.password, user.hasPassword ? words.hasPassword : words.noPassword],
          [
            m.users.columns.second,
            user.twoFactor.enabled
              ? list(user.twoFactor.methods.map((method) => m.users.methods[method]))
              : m.users.second.off,
          ],
          [words.sessions, words.sessionCount(user.sessionCount)],
          [m.users.columns.last, user.lastLoginAt === null ? m.users.never : ago(user.lastLoginAt)],
        ]}
      />
      <Bar>
        <Button onPress={() => setAsked('password')}>{words.setPassword}</Button>
        {user.sessionCount > 0 && <Button onPress={() => setAsked('sessions')}>{words.endSessions}</Button>}
        {user.twoFactor.enabled && <Button onPress={() => setAsked('factors')}>{words.removeFactors}</Button>}
      </Bar>
      {asked === 'password' && (
        <PasswordDialog id={user.id} onClose={(isDone) => close(isDone, words.passwordSet)} />
      )}
      {asked === 'sessions' && (
        <Confirm
          title={words.endSessionsTitle(user.username)}
          action={words.endSessions}
          onConfirm={() => api.DELETE('/api/users/{id}/sessions', { path })}
          onClose={(isDone) => close(isDone, words.sessionsEnded)}
        >
          <p>{words.endSessionsText}</p>
        </Confirm>
      )}
      {asked === 'factors' && (
        <Confirm
          title={words.removeFactorsTitle(user.username)}
          action={words.removeFactors}
          onConfirm={() => api.DELETE('/api/users/{id}/two-factor', { path })}
          onClose={(isDone) => close(isDone, words.factorsRemoved)}
        >
          <p>{words.removeFactorsText}</p>
        </Confirm>
      )}
    </Card>
  )
}

function PasswordDialog({ id, onClose }: { id: string; onClose: (isDone?: boolean) => void }) {
  const m = useMessages('users')
  const words = m.users.user
  const [password, setPassword] = useState('')
  const [keepTokens, setKeepTokens] = useState(false)
  async function submit() {
    await api.PUT('/api/users/{id}', { path: { id }, body: { password, keepTokens } })
    onClose(true)
  }
  return (
    <Dialog title={words.setPassword} onClose={() => onClose()}>
      <p>{words.setPasswordText}</p>
      <Form fields={['password']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={words.newPassword}
              name="password"
              type="password"
              autoFocus
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
            />
            <Checkbox isSelected={keepTokens} onChange={setKeepTokens}>
              {words.keepTokens}
            </Checkbox>
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.setPassword}
              </Button>
              <Button onPress={() => onClose()}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
