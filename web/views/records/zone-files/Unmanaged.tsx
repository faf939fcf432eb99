import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { showTtl } from '../../../zone/ttl.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Loading } from '../../../ui/feedback/Loading.tsx'
import { Empty } from '../../../ui/feedback/Note.tsx'
import { Bar, Pager } from '../../../ui/page/Page.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../../ui/page/Table.tsx'
import { visible } from '../../../ui/visible.ts'
import styles from '../Records.module.css'

/** Records of unmanaged types. */
export function Unmanaged({ domainId, onClose }: { domainId: string; onClose: () => void }) {
  const m = useMessages('records', 'zoneFiles')
  const [page, setPage] = useState(1)
  const {
    data: list,
    error,
    refetch,
  } = useQuery({
    queryKey: ['records', domainId, 'unmanaged', page],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/records/unmanaged', {
        path: { id: domainId },
        query: { page },
        signal,
      }),
  })
  return (
    <div className={styles['layout']}>
      <Bar>
        <Button icon="left" onPress={onClose}>
          {m.records.gridView}
        </Button>
      </Bar>
      <p className="muted">{m.zoneFiles.unmanagedList.about}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 && <Empty icon="check">{m.zoneFiles.unmanagedList.none}</Empty>}
      {list && list.total > 0 && (
        <>
          <Table
            label={m.records.tab}
            rows={list.records}
            idOf={({ name, recordType, value }) => `${name} ${recordType} ${value}`}
            columns={[
              { id: 'name', title: m.records.name, head: true, cell: ({ name }) => visible(name) },
              { id: 'type', title: m.records.type, cell: ({ recordType }) => recordType },
              { id: 'ttl', title: m.records.ttl, cell: ({ ttl }) => (ttl === null ? '' : showTtl(ttl)) },
              {
                id: 'text',
                title: m.zoneFiles.unmanagedList.raw,
                cell: ({ value }) => <span className="mono">{visible(value.slice(0, 500))}</span>,
              },
            ]}
          />
          <Pager page={list.page} limit={list.limit} total={list.total} onPage={setPage} />
        </>
      )}
    </div>
  )
}
