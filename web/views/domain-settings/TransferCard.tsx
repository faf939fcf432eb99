import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/Page.tsx'
import { toast } from '../../ui/Toast.tsx'
import { visible } from '../../ui/visible.ts'

/** Gives the domain to another user. */
export function TransferCard({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.transfer
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [isAsking, setAsking] = useState(false)
  async function give() {
    await api.POST('/api/domains/{id}/transfer', {
      params: { path: { id: domain.id } },
      body: { username: username.trim() },
    })
    toast(words.done(username.trim()))
    changed('domain', domain.id)
    // It may not be seen any more by who gave it away.
    if (domain.access === 'owner') await navigate({ to: '/domains', ignoreBlocker: true })
    else setUsername('')
  }
  return (
    <Card title={words.title}>
      <p className="muted">{words.about}</p>
      <Form
        fields={[]}
        onSubmit={() => {
          setAsking(username.trim() !== '')
          return Promise.resolve()
        }}
      >
        {() => (
          <>
            <TextField label={words.username} value={username} onChange={setUsername} autoComplete="off" />
            <FormActions>
              <Button type="submit" look="danger" isDisabled={username.trim() === ''}>
                {words.submit}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
      {isAsking && (
        <Confirm
          title={words.confirm(visible(domain.unicodeName), visible(username.trim()))}
          action={words.submit}
          onConfirm={give}
          onClose={() => setAsking(false)}
        >
          <p>{words.about}</p>
        </Confirm>
      )}
    </Card>
  )
}
