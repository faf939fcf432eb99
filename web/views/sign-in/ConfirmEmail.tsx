import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Form } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { Outside } from './Outside.tsx'
import { useTaken } from './taken.ts'

/** Target of the link in an email; opening it changes nothing, as mail scanners open links too. */
export function ConfirmEmail() {
  const m = useMessages('register')
  useTitle(m.register.confirmTitle)
  const { token = '' } = useTaken('token')
  const [isDone, setDone] = useState(false)
  async function submit() {
    await api.POST('/api/auth/me/email/confirm', { body: { token } })
    changed('account')
    setDone(true)
  }
  return (
    <Outside title={m.register.confirmTitle}>
      {isDone ? (
        <Note tone="good" actions={<LinkButton to="/">{m.common.home}</LinkButton>}>
          {m.register.confirmDone}
        </Note>
      ) : (
        <Form fields={[]} onSubmit={submit}>
          {(isPending) => (
            <>
              <p>{m.register.confirmAsk}</p>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.register.confirmSubmit}
              </Button>
            </>
          )}
        </Form>
      )}
    </Outside>
  )
}
