import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { Outside } from './Outside.tsx'
import { useTaken } from './taken.ts'

/** Requests a reset link; opened by that link, sets the password. */
export function ResetPassword() {
  const m = useMessages('register')
  useTitle(m.register.resetTitle)
  const { token } = useTaken('token')
  return (
    <Outside title={m.register.resetTitle}>
      {token === undefined ? <Ask /> : <Choose token={token} />}
    </Outside>
  )
}

function Ask() {
  const m = useMessages('register')
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  async function submit() {
    await api.POST('/api/auth/password/forgot', { body: { email } })
    setSent(true)
  }
  if (isSent) return <Note tone="good">{m.register.resetSent}</Note>
  return (
    <Form fields={['email']} onSubmit={submit}>
      {(isPending) => (
        <>
          <TextField
            label={m.register.email}
            name="email"
            type="email"
            autoFocus
            autoComplete="email"
            value={email}
            onChange={setEmail}
          />
          <Button type="submit" look="primary" isPending={isPending}>
            {m.register.resetAsk}
          </Button>
          <a href="/sign-in">{m.register.haveAccount}</a>
        </>
      )}
    </Form>
  )
}

function Choose({ token }: { token: string }) {
  const m = useMessages('register', 'signIn')
  const [newPassword, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  async function submit() {
    await api.POST('/api/auth/password/reset', { body: { token, newPassword } })
    setDone(true)
  }
  if (isDone) {
    return (
      <Note tone="good" actions={<LinkButton to="/sign-in">{m.signIn.submit}</LinkButton>}>
        {m.register.resetDone}
      </Note>
    )
  }
  return (
    <Form fields={['newPassword']} onSubmit={submit}>
      {(isPending) => (
        <>
          <TextField
            label={m.register.newPassword}
            help={m.register.passwordHelp}
            name="newPassword"
            type="password"
            autoFocus
            autoComplete="new-password"
            value={newPassword}
            onChange={setPassword}
          />
          <Button type="submit" look="primary" isPending={isPending}>
            {m.register.resetSubmit}
          </Button>
        </>
      )}
    </Form>
  )
}
