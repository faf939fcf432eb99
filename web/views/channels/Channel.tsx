import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { channelQuery } from '../../api/queries/channels.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Card, Cards, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { ChannelForm } from './ChannelForm.tsx'
import { State } from './Channels.tsx'
import { Deliveries } from './Deliveries.tsx'
import { TestButton } from './TestButton.tsx'
import { useChannelKinds } from './kinds.ts'

/** One channel: settings, test and messages; `new` creates one. */
export function Channel() {
  const { id } = useParams({ from: '/inside/channels/$id' })
  return id === 'new' ? <NewChannel /> : <OneChannel key={id} id={id} />
}

function NewChannel() {
  const m = useMessages('channels')
  const words = m.channels
  const { kind: wanted } = useSearch({ from: '/inside/channels/$id' })
  const { data: catalogue, error, refetch } = useChannelKinds()
  const kind = catalogue?.channels.find(({ channel }) => channel === wanted)
  if (catalogue && kind)
    return (
      <Page title={words.newTitle(kind.name)}>
        <ChannelForm key={kind.channel} kind={kind} events={catalogue.events} channel={null} />
      </Page>
    )
  return (
    <Page title={words.add} about={words.choose}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!catalogue && !error && <Loading />}
      <Cards>
        {catalogue?.channels.map(({ channel, name, available }) => (
          <Card key={channel} title={name}>
            {available ? (
              <div>
                <LinkButton
                  to="/channels/$id"
                  params={{ id: 'new' }}
                  search={{ kind: channel }}
                  icon="plus"
                  aria-label={words.addOf(name)}
                >
                  {words.add}
                </LinkButton>
              </div>
            ) : (
              <p className="muted">{words.unavailable}</p>
            )}
          </Card>
        ))}
      </Cards>
    </Page>
  )
}

function OneChannel({ id }: { id: string }) {
  const m = useMessages('channels')
  const words = m.channels
  const navigate = useNavigate()
  const one = useQuery(channelQuery(id))
  const kinds = useChannelKinds()
  const { data: channel } = one
  const { data: catalogue } = kinds
  const [isDeleting, setDeleting] = useState(false)
  const kind = catalogue?.channels.find((one) => one.channel === channel?.channel)
  const problem = one.error ?? kinds.error
  const retry = () => void Promise.all([one.refetch(), kinds.refetch()])
  if (!channel || !catalogue || !kind)
    return (
      <Page title={words.title}>{problem ? <ProblemNote error={problem} retry={retry} /> : <Loading />}</Page>
    )
  return (
    <Page
      title={visible(channel.name)}
      about={
        <>
          {kind.name} · <State channel={channel} />
        </>
      }
      actions={
        <Button look="danger" icon="trash" onPress={() => setDeleting(true)}>
          {words.delete}
        </Button>
      }
    >
      <TestButton id={id} />
      <ChannelForm kind={kind} events={catalogue.events} channel={channel} />
      <Deliveries id={id} />
      {isDeleting && (
        <Confirm
          title={words.deleteTitle(channel.name)}
          action={words.delete}
          onConfirm={async () => {
            await api.DELETE('/api/notifications/configs/{id}', { path: { id } })
            changed('channel')
            toast(words.deleted)
          }}
          onClose={(isDone) => {
            setDeleting(false)
            if (isDone) void navigate({ to: '/channels', ignoreBlocker: true })
          }}
        >
          <p>{words.deleteText}</p>
        </Confirm>
      )}
    </Page>
  )
}
