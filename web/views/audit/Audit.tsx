import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { auditCsv, auditQuery } from '../../api/queries/audit.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { download } from '../../ui/download.ts'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { EntryTable } from './EntryTable.tsx'
import { Filters } from './Filters.tsx'

const LIMIT = 50

/** Audit log with filters in the address, and CSV download. */
export function Audit() {
  const m = useMessages('audit')
  const words = m.audit
  const { page = 1, ...filter } = useSearch({ from: '/inside/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const { data: list, error, refetch } = useQuery(auditQuery(filter, page, LIMIT))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page
      wide
      title={words.title}
      about={words.about}
      actions={
        <ActionButton
          icon="download"
          onAct={async () => download(words.csvOf, await auditCsv(filter), 'text/csv')}
        >
          {words.csv}
        </ActionButton>
      }
    >
      <Filters />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading lines={10} />}
      {list?.total === 0 && (
        <Empty
          icon="audit"
          action={
            isFiltered && (
              <Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>
            )
          }
        >
          {isFiltered ? words.noneFound : words.none}
        </Empty>
      )}
      {list && list.total > 0 && (
        <>
          <EntryTable entries={list.entries} />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { ...filter, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </Page>
  )
}
