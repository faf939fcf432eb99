import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { changesQuery } from '../../api/queries/zones/changes.ts'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { LinkButton, Pager, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { ChangeLine } from './ChangeLine.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import styles from './History.module.css'

const LIMIT = 50

/** Changes of a domain, with revert and restore. */
export function History() {
  const m = useMessages('domain', 'history')
  const { id } = useParams({ from: '/inside/domains/$id/history' })
  const search = useSearch({ from: '/inside/domains/$id/history' })
  const navigate = useNavigate({ from: '/domains/$id/history' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { change: opened, page = 1, ...filter } = search
  const { data: list, error, refetch } = useQuery(changesQuery(id, { ...filter, page, limit: LIMIT }))
  const isFiltered = Object.keys(filter).length > 0
  useTitle(`${domain.unicodeName} · ${m.domain.history}`)
  const open = (change: string | undefined) =>
    void navigate({ search: { ...search, change }, replace: true, resetScroll: false })

  return (
    <div className="stack">
      <HistoryFilters />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 && (
        <Empty
          icon="history"
          action={
            isFiltered ? (
              <Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>
            ) : (
              <LinkButton to="/domains/$id/records" params={{ id }}>
                {m.domain.records}
              </LinkButton>
            )
          }
        >
          {isFiltered ? m.history.noneFound : m.history.none}
        </Empty>
      )}
      {list && list.total > 0 && (
        <>
          <ul className={styles['list']} aria-label={m.history.label}>
            {list.changes.map((change) => (
              <ChangeLine
                key={change.id}
                domain={domain}
                change={change}
                isOpen={change.id === opened}
                onOpen={(isOpen) => open(isOpen ? change.id : undefined)}
              />
            ))}
          </ul>
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { ...filter, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </div>
  )
}
