import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { sessionsQuery } from '../../api/queries/account.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { deviceOf } from '../../ui/devices.ts'

export function Sessions() {
  const m = useMessages('account')
  const { ago, moment, utc } = useFormats()
  const words = m.account.sessions
  useTitle(words.title)
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const [isAsking, setAsking] = useState(false)
  async function end(id: string) {
    await api.DELETE('/api/auth/me/sessions/{id}', { path: { id } })
    changed('account')
    toast(words.ended)
  }
  const named = (userAgent: string) => {
    const device = deviceOf(userAgent)
    return device ? words.on(device.browser, device.system) : visible(userAgent.slice(0, 60)) || words.unknown
  }
  return (
    <>
      <h2>{words.title}</h2>
      <p>{words.about}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!sessions && !error && <Loading />}
      {sessions && (
        <>
          {sessions.length > 1 ? (
            <Bar>
              <Button look="danger" onPress={() => setAsking(true)}>
                {words.endOthers}
              </Button>
            </Bar>
          ) : (
            <p className="muted">{words.onlyThis}</p>
          )}
          <Table
            label={words.title}
            rows={sessions}
            idOf={({ id }) => id}
            columns={[
              {
                id: 'device',
                title: words.columns.device,
                head: true,
                cell: ({ userAgent, current }) => (
                  <Bar>
                    <span title={visible(userAgent)}>{named(userAgent)}</span>
                    {current && (
                      <Badge tone="good" icon="check">
                        {words.here}
                      </Badge>
                    )}
                  </Bar>
                ),
              },
              { id: 'ip', title: words.columns.address, cell: ({ ip }) => <code>{ip}</code> },
              {
                id: 'used',
                title: words.columns.used,
                tight: true,
                cell: ({ lastUsedAt }) => <span title={utc(lastUsedAt)}>{ago(lastUsedAt)}</span>,
              },
              {
                id: 'begun',
                title: words.columns.begun,
                tight: true,
                cell: ({ createdAt }) => <span title={utc(createdAt)}>{moment(createdAt)}</span>,
              },
              {
                id: 'actions',
                title: m.common.actions,
                quiet: true,
                tight: true,
                cell: ({ id, userAgent, ip, current }) =>
                  !current && (
                    <ActionButton
                      aria-label={`${words.end}${m.common.colon}${named(userAgent)}, ${ip}`}
                      onAct={() => end(id)}
                    >
                      {words.end}
                    </ActionButton>
                  ),
              },
            ]}
          />
        </>
      )}
      {isAsking && (
        <Confirm
          title={words.endOthersTitle}
          action={words.endOthers}
          onConfirm={() => api.DELETE('/api/auth/me/sessions')}
          onClose={(isDone) => {
            setAsking(false)
            if (!isDone) return
            changed('account')
            toast(words.othersEnded)
          }}
        >
          <p>{words.endOthersText}</p>
        </Confirm>
      )}
    </>
  )
}
