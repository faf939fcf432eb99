import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Copied } from '../../ui/page/Page.tsx'
import { ShownOnce } from '../../ui/dialogs/ShownOnce.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { visible } from '../../ui/visible.ts'
import { RoleField } from './RoleField.tsx'

interface Made {
  code: string
  email: string | null
  mailed: boolean
}

/** Creates an invitation, then shows its code once. */
export function Invite({ onClose }: { onClose: () => void }) {
  const m = useMessages('users')
  const words = m.users.invite
  const site = useSite()
  const [role, setRole] = useState<Schemas['Role']>('member')
  const [email, setEmail] = useState('')
  const [maxUses, setMaxUses] = useState(1)
  const [expiresAt, setEnd] = useState<string | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  async function submit() {
    const body = {
      role,
      maxUses,
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(expiresAt !== null && { expiresAt }),
    }
    setMade(await api.POST('/api/invitations', { body }))
    changed('invitation')
  }
  if (made) {
    const link = `${site?.siteUrl ?? location.origin}/register?code=${encodeURIComponent(made.code)}`
    return (
      <ShownOnce title={words.shownTitle} about={words.shown} onKept={onClose}>
        {made.mailed && made.email !== null && <p>{words.mailed(visible(made.email))}</p>}
        <h3>{words.link}</h3>
        <Copied label={words.link} text={link} />
        <h3>{words.code}</h3>
        <Copied label={words.code} text={made.code} />
      </ShownOnce>
    )
  }
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form fields={['role', 'email', 'maxUses', 'expiresAt']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              optional
              label={words.email}
              name="email"
              type="email"
              help={words.emailHelp}
              autoFocus
              autoComplete="off"
              value={email}
              onChange={setEmail}
            />
            <RoleField value={role} onChange={setRole} />
            <Fields>
              <NumberField
                label={words.maxUses}
                name="maxUses"
                minValue={1}
                value={maxUses}
                onChange={setMaxUses}
              />
              <DateField optional label={words.ends} name="expiresAt" value={expiresAt} onChange={setEnd} />
            </Fields>
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
