import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { findingsQuery } from '../../api/queries/zones/health.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Page, Pager } from '../../ui/page/Page.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { useColumns } from './columns.tsx'
import { DomainFilter } from './DomainFilter.tsx'
import { SEVERITIES } from './severity.tsx'
import styles from './Health.module.css'

const LIMIT = 50
const ANY = '*'

/** Findings of all domains. */
export function Health() {
  const m = useMessages('health')
  const words = m.health
  const search = useSearch({ from: '/inside/health-findings' })
  const navigate = useNavigate({ from: '/health-findings' })
  const { page = 1, severity, domainId } = search
  const codes = Object.keys(words.codes) as Schemas['HealthCode'][]
  const code = codes.find((one) => one === search.code)
  const {
    data: list,
    error,
    refetch,
  } = useQuery(findingsQuery({ severity, code, domainId, page, limit: LIMIT }))
  const columns = useColumns()
  const isFiltered = severity !== undefined || code !== undefined || domainId !== undefined
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...change }, replace: true })
  const checkAll = async () => {
    const { domains } = await api.POST('/api/health-findings/check', {})
    toast(words.begun(domains))
  }
  return (
    <Page
      wide
      title={words.title}
      about={words.about}
      actions={
        <ActionButton icon="sync" onAct={checkAll}>
          {words.checkAll}
        </ActionButton>
      }
    >
      <div role="group" aria-label={words.filters} className={styles['filters']}>
        <Select
          label={words.severityOf}
          value={severity ?? ANY}
          onChange={(chosen) => set({ severity: SEVERITIES.find((one) => one === chosen) })}
          options={[
            { id: ANY, text: words.anySeverity },
            ...SEVERITIES.map((id) => ({ id, text: words.severity[id] })),
          ]}
        />
        <Select
          label={words.code}
          value={code ?? ANY}
          onChange={(chosen) => set({ code: chosen === ANY ? undefined : chosen })}
          options={[{ id: ANY, text: words.anyCode }, ...codes.map((id) => ({ id, text: words.codes[id] }))]}
        />
        <DomainFilter domainId={domainId} onChange={(id) => set({ domainId: id })} />
      </div>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 &&
        (isFiltered ? (
          <Empty
            icon="search"
            action={<Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>}
          >
            {words.noneFound}
          </Empty>
        ) : (
          <Empty icon="check">{words.none}</Empty>
        ))}
      {list && list.total > 0 && (
        <>
          <Table
            label={words.title}
            rows={list.findings}
            columns={columns}
            idOf={(finding) => `${finding.domainId} ${finding.id}`}
          />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { ...search, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </Page>
  )
}
