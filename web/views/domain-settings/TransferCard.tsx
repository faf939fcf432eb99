import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { pendingTransfersQuery } from '../../api/queries/transfers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

/** Offers the domain to another user; administrators transfer it at once. */
export function TransferCard({
  domain,
  isAdmin,
}: {
  domain: Schemas['Domain']
  /** The transfer needs no acceptance. */
  isAdmin: boolean
}) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.transfer
  const about = isAdmin ? words.about : words.aboutOffer
  const navigate = useNavigate()
  const { data: pending = [], error, refetch } = useQuery(pendingTransfersQuery(domain.id))
  const [username, setUsername] = useState('')
  const [isAsking, setAsking] = useState(false)
  async function give() {
    const offer = await api.POST('/api/domains/{id}/transfer', {
      path: { id: domain.id },
      body: { username: username.trim() },
    })
    const isOffered = offer !== undefined
    toast((isOffered ? words.offered : words.done)(username.trim()))
    changed('domain', domain.id)
    // The previous owner may no longer see the domain.
    if (!isOffered && domain.access === 'owner') await navigate({ to: '/domains', ignoreBlocker: true })
    else setUsername('')
  }
  return (
    <Card title={words.title}>
      <p className="muted">{about}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {pending.map((transfer) => (
        <Pending key={transfer.id} transfer={transfer} />
      ))}
      {(isAdmin || pending.length === 0) && (
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
      )}
      {isAsking && (
        <Confirm
          title={words.confirm(visible(domain.unicodeName), visible(username.trim()))}
          action={words.submit}
          onConfirm={give}
          onClose={() => setAsking(false)}
        >
          <p>{about}</p>
        </Confirm>
      )}
    </Card>
  )
}

/** A pending offer. */
function Pending({
  transfer: { id, domainId, toUsername, expiresAt },
}: {
  transfer: Schemas['DomainTransfer']
}) {
  const words = useMessages('domainSettings').domainSettings.transfer
  const { moment } = useFormats()
  async function withdraw() {
    await api.POST('/api/domains/transfers/{id}/withdraw', { path: { id } })
    toast(words.withdrawn)
    changed('domain', domainId)
  }
  return (
    <Note tone="info" actions={<ActionButton onAct={withdraw}>{words.withdraw}</ActionButton>}>
      {words.pending(visible(toUsername), moment(expiresAt))}
    </Note>
  )
}
