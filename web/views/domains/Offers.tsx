import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { pendingTransfersQuery } from '../../api/queries/transfers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { readable, visible } from '../../ui/visible.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

/** Domains offered to the signed-in user. */
export function Offers() {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { data: transfers = [], error, refetch } = useQuery(pendingTransfersQuery())
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  return transfers
    .filter(({ toUserId }) => toUserId === user?.id)
    .map((transfer) => <Offer key={transfer.id} transfer={transfer} />)
}

function Offer({
  transfer: { id, domainId, domainName, fromUsername, expiresAt },
}: {
  transfer: Schemas['DomainTransfer']
}) {
  const words = useMessages('domains').domains.offers
  const { moment } = useFormats()
  const name = visible(readable(domainName))
  const params = { path: { id } }
  async function accept() {
    await api.POST('/api/domains/transfers/{id}/accept', params)
    toast(words.accepted(name))
    changed('domain', domainId)
  }
  async function decline() {
    await api.POST('/api/domains/transfers/{id}/decline', params)
    toast(words.declined(name))
    changed('domain', domainId)
  }
  return (
    <Note
      tone="info"
      actions={
        <>
          <ActionButton look="primary" onAct={accept}>
            {words.accept}
          </ActionButton>
          <ActionButton onAct={decline}>{words.decline}</ActionButton>
        </>
      }
    >
      {words.offered(visible(fromUsername), name, moment(expiresAt))}
    </Note>
  )
}
