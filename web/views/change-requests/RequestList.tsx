import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeRequestsQuery } from '../../api/queries/zones/change-requests.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Bar, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { REQUEST_FILTERS, type RequestStatusFilter } from '../../ui/request-filters.ts'
import { useColumns } from './columns.tsx'

const LIMIT = 25
const ANY = '*'

interface RequestSearch {
  status?: RequestStatusFilter | undefined
  page?: number | undefined
}

interface ListProps {
  search: RequestSearch
  onSearch: (search: RequestSearch) => void
  domainId?: string
  /** Where requests begin, if there are none yet. */
  start: ReactNode
}

/** Change requests of all domains or one, filtered by status. */
export function RequestList({ search: { status, page = 1 }, onSearch, domainId, start }: ListProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests
  const wanted = status === 'waiting' ? { canApprove: true } : { status }
  const {
    data: list,
    error,
    refetch,
  } = useQuery(changeRequestsQuery({ ...wanted, page, limit: LIMIT, domainId }))
  const columns = useColumns(domainId === undefined)
  return (
    <>
      <Bar>
        <Select
          quiet
          label={words.filter}
          value={status ?? ANY}
          onChange={(chosen) => onSearch({ status: REQUEST_FILTERS.find((one) => one === chosen) })}
          options={[
            { id: ANY, text: words.any },
            ...REQUEST_FILTERS.map((id) => ({
              id,
              text: id === 'waiting' ? words.waiting : words.status[id],
            })),
          ]}
        />
      </Bar>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 &&
        (status === undefined ? (
          <Empty icon="review" action={start}>
            {words.none}
          </Empty>
        ) : (
          <Empty icon="search" action={<Button onPress={() => onSearch({})}>{m.common.clearFilter}</Button>}>
            {words.noneFound}
          </Empty>
        ))}
      {list && list.total > 0 && (
        <>
          <Table label={words.title} rows={list.requests} columns={columns} idOf={({ id }) => id} />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => onSearch({ status, page: next > 1 ? next : undefined })}
          />
        </>
      )}
    </>
  )
}
