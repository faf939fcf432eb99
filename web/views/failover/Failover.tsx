import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { monitorsQuery } from '../../api/queries/zones/failover.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { LinkButton, Page, Pager } from '../../ui/page/Page.tsx'
import { MonitorDialog } from './late-monitor.ts'
import { Monitor } from './Monitor.tsx'
import { useMayWriteSome } from './useMayWriteSome.ts'

const LIMIT = 20

/** Failover monitors of all domains. */
export function Failover() {
  const m = useMessages('failover', 'shell')
  const words = m.failover
  const { page = 1 } = useSearch({ from: '/inside/failover' })
  const navigate = useNavigate({ from: '/failover' })
  const { data: list, error, refetch } = useQuery(monitorsQuery({ page, limit: LIMIT }))
  const [isAdding, setAdding] = useState(false)
  const mayAdd = useMayWriteSome()
  const add = mayAdd && (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Page wide title={words.title} about={words.about} actions={list && list.total > 0 && add}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 && (
        <Empty icon="server" action={add || <LinkButton to="/domains">{m.shell.domains}</LinkButton>}>
          {words.none}
        </Empty>
      )}
      {list && list.total > 0 && (
        <>
          {list.monitors.map((monitor) => (
            <Monitor key={monitor.id} monitor={monitor} />
          ))}
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
          />
        </>
      )}
      {isAdding && (
        <Suspense>
          <MonitorDialog monitor={null} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Page>
  )
}
