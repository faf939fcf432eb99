import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

/** Email address: changed with the password, confirmed by a link. */
export function EmailCard({ me }: { me: Schemas['CurrentUser'] }) {
  const m = useMessages('account')
  const words = m.account.profile
  const [isChanging, setChanging] = useState(false)
  /** Address of a pending confirmation. */
  const [sentTo, setSentTo] = useState<string | null>(null)
  const isWaiting = sentTo !== null && !(me.emailVerified && me.email === sentTo)
  return (
    <Card title={words.email}>
      {me.email === null ? (
        <p className="muted">{words.noEmail}</p>
      ) : (
        <Bar>
          <span>{visible(me.email)}</span>
          {me.emailVerified ? (
            <Badge tone="good" icon="check">
              {words.confirmed}
            </Badge>
          ) : (
            <Badge tone="warn">{words.notConfirmed}</Badge>
          )}
        </Bar>
      )}
      {isWaiting && (
        <Note tone="info" alert>
          {words.confirmationSent}
        </Note>
      )}
      {me.hasPassword && (
        <Bar>
          <Button icon="edit" onPress={() => setChanging(true)}>
            {words.changeEmail}
          </Button>
        </Bar>
      )}
      {isChanging && <EmailDialog onSent={setSentTo} onClose={() => setChanging(false)} />}
    </Card>
  )
}

function EmailDialog({ onSent, onClose }: { onSent: (address: string) => void; onClose: () => void }) {
  const m = useMessages('account')
  const words = m.account.profile
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  async function submit() {
    const { confirmationSent } = await api.PUT('/api/auth/me/email', { body: { email, password } })
    changed('account')
    if (confirmationSent) onSent(email.toLowerCase())
    else toast(words.emailChanged)
    onClose()
  }
  return (
    <Dialog title={words.changeEmail} onClose={onClose}>
      <Form fields={['email', 'password']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={words.newEmail}
              name="email"
              type="email"
              autoFocus
              autoComplete="email"
              value={email}
              onChange={setEmail}
            />
            <TextField
              label={words.password}
              name="password"
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.submitEmail}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
