import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Bar, Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { DeleteUser } from './DeleteUser.tsx'

/** Disables or deletes an account. */
export function EndAccount({ user: { id, username, disabled } }: { user: Schemas['User'] }) {
  const m = useMessages('users')
  const words = m.users.user
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null)
  const set = (isDisabled: boolean) =>
    api.PUT('/api/users/{id}', { path: { id }, body: { disabled: isDisabled } })
  const told = (text: string) => {
    changed('user')
    toast(text)
  }
  return (
    <Card title={words.danger}>
      <Bar>
        {disabled ? (
          <ActionButton icon="check" onAct={() => set(false).then(() => told(words.enabledNow))}>
            {words.enable}
          </ActionButton>
        ) : (
          <Button icon="lock" onPress={() => setAsked('disable')}>
            {words.disable}
          </Button>
        )}
        <Button look="danger" icon="trash" onPress={() => setAsked('delete')}>
          {words.delete}
        </Button>
      </Bar>
      {asked === 'disable' && (
        <Confirm
          title={words.disableTitle(username)}
          action={words.disable}
          onConfirm={() => set(true)}
          onClose={(isDone) => {
            setAsked(null)
            if (isDone) told(words.disabledNow)
          }}
        >
          <p>{words.disableText}</p>
        </Confirm>
      )}
      {asked === 'delete' && (
        <DeleteUser
          id={id}
          username={username}
          onClose={(isDone) => {
            setAsked(null)
            if (!isDone) return
            void navigate({ to: '/users' }).then(() => told(words.deleted))
          }}
        />
      )}
    </Card>
  )
}
