import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelsQuery } from '../../api/queries/channels.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Empty } from '../../ui/feedback/Note.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'
import { useChannelKinds } from './kinds.ts'

export function Channels() {
  const m = useMessages('channels')
  const { list } = useFormats()
  const words = m.channels
  const { data: channels, error, refetch } = useQuery(channelsQuery)
  const { data: kinds } = useChannelKinds()
  const add = (
    <LinkButton to="/channels/$id" params={{ id: 'new' }} look="primary" icon="plus">
      {words.add}
    </LinkButton>
  )
  const areaOf = (pattern: string) => {
    if (pattern === '*') return words.everything
    const [area = '', event] = pattern.split('.')
    return event === '*' ? (words.form.areas[area] ?? area) : pattern
  }
  return (
    <Page title={words.title} about={words.about} actions={add}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!channels && !error && <Loading />}
      {channels?.length === 0 && (
        <Empty icon="channel" action={add}>
          {words.none}
        </Empty>
      )}
      {channels && channels.length > 0 && (
        <Table
          label={words.title}
          rows={channels}
          idOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              title: m.common.name,
              head: true,
              cell: ({ id, name }) => (
                <Link to="/channels/$id" params={{ id }}>
                  {visible(name)}
                </Link>
              ),
            },
            {
              id: 'kind',
              title: words.kind,
              cell: ({ channel }) => kinds?.channels.find((one) => one.channel === channel)?.name ?? channel,
            },
            { id: 'events', title: words.events, cell: ({ events }) => list(events.map(areaOf)) },
            { id: 'state', title: words.state, cell: (one) => <State channel={one} /> },
          ]}
        />
      )}
    </Page>
  )
}

/** Whether it is on, and the result of the last message. */
export function State({ channel: { enabled, lastDelivery } }: { channel: Schemas['Channel'] }) {
  const m = useMessages('channels')
  const { ago } = useFormats()
  const words = m.channels
  return (
    <>
      <Badge tone={enabled ? 'good' : 'plain'}>{enabled ? words.on : words.off}</Badge>{' '}
      {lastDelivery === null ? (
        <span className="muted">{words.nothingSent}</span>
      ) : lastDelivery.ok ? (
        <span className="muted">{words.lastOk(ago(lastDelivery.at))}</span>
      ) : (
        <Badge tone="bad" icon="warning">
          {words.lastFailed(ago(lastDelivery.at))}
        </Badge>
      )}
    </>
  )
}
