import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { draftsOf } from '../../api/drafts.ts'
import { catalogueQuery, domainsQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { LinkButton, Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useReasons } from '../../ui/feedback/reasons.ts'
import { Table } from '../../ui/page/Table.tsx'
import { ChosenBar } from './ChosenBar.tsx'
import { columnsOf } from './columns.tsx'
import { Filters } from './Filters.tsx'
import { Offers } from './Offers.tsx'

type Item = Schemas['DomainListItem']

const LIMIT = 50

export function Domains() {
  const m = useMessages('domain', 'domains')
  const formats = useFormats()
  const search = useSearch({ from: '/inside/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { page = 1, sort, order, ...filter } = search
  const { data: list, error, refetch } = useQuery(domainsQuery({ ...search, page, limit: LIMIT }))
  const { data: catalogue } = useQuery(catalogueQuery)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Item>>(new Map())
  const drafts = useMemo(() => draftsOf(user?.id ?? ''), [user?.id])
  const isFiltered = Object.keys(filter).length > 0
  const rows = list?.domains ?? []
  const say = useReasons(rows.some(({ lastSyncError }) => lastSyncError !== null))

  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...rows.map((row) => [row.id, row] as const)])
    setChosen(new Map([...known].filter(([id]) => ids.has(id))))
  }
  const addButton = (
    <LinkButton to="/domains/add" look="primary" icon="plus">
      {m.domains.add}
    </LinkButton>
  )

  return (
    <Page wide title={m.domains.title} actions={addButton}>
      <Offers />
      <Filters ownerName={rows[0]?.owner.username} />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading lines={10} />}
      {list?.total === 0 &&
        (isFiltered ? (
          <Empty
            icon="search"
            action={<Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>}
          >
            {m.domains.noneFound}
          </Empty>
        ) : (
          <Empty icon="globe" action={addButton}>
            {m.domains.none}
          </Empty>
        ))}
      {list && list.total > 0 && (
        <>
          <Table
            label={m.domains.title}
            rows={rows}
            idOf={({ id }) => id}
            columns={columnsOf({
              m,
              formats,
              drafts,
              say,
              isAdmin: user?.role === 'admin',
              isLocal: ({ providerId }) =>
                catalogue?.find(({ id }) => id === providerId)?.capabilities.truth === 'local',
            })}
            sorting={{ by: sort ?? 'name', order: order ?? 'asc' }}
            onSort={({ by, order: way }) =>
              void navigate({
                search: {
                  ...filter,
                  sort: by === 'expiresAt' || by === 'recordCount' ? by : undefined,
                  order: way === 'desc' ? way : undefined,
                },
              })
            }
            selecting={{
              chosen: new Set(chosen.keys()),
              onChange: choose,
              label: (id) => m.common.choose(rows.find((row) => row.id === id)?.unicodeName ?? ''),
            }}
          />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { ...search, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
      {chosen.size > 0 && <ChosenBar domains={[...chosen.values()]} onClear={() => setChosen(new Map())} />}
    </Page>
  )
}
