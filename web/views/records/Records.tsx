import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { outdatedZones, readZoneAgain } from '../../api/live/live.ts'
import { catalogueQuery, domainQuery, recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Grid } from './grid/Grid.tsx'
import type { SortBy } from './grid/GridHead.tsx'
import type { EditorRow } from './model.ts'
import { useSettling } from './review/outcomes.ts'
import { stagedOf } from './review/staged.ts'
import { StagingBar } from './review/StagingBar.tsx'
import { Tools } from './Tools.tsx'
import { useFaultOf } from './panel/useFaultOf.ts'
import { useLock } from './grid/useLock.ts'
import { useRowActions } from './grid/useRowActions.ts'
import { useRows } from './grid/useRows.ts'
import { useShortcuts } from './grid/useShortcuts.ts'
import { useSmallEdits } from './grid/useSmallEdits.ts'
import { useZone } from './useZone.ts'
import styles from './Records.module.css'

// Bars and dialogs load on first use.
const AddMany = lazyPart(() => import('./zone-files/AddMany.tsx'), 'AddMany', ['records', 'zoneFiles'])
const ChosenBar = lazyPart(() => import('./grid/ChosenBar.tsx'), 'ChosenBar', ['records'])
const ImportZone = lazyPart(() => import('./zone-files/ImportZone.tsx'), 'ImportZone', [
  'diff',
  'plan',
  'records',
  'review',
  'zoneFiles',
])
const NeverRead = lazyPart(() => import('./zone-files/NeverRead.tsx'), 'NeverRead', ['zoneFiles'])
const RecordPanel = lazyPart(() => import('./panel/RecordPanel.tsx'), 'RecordPanel', [
  'recordHints',
  'recordPanel',
  'records',
  'recordTypes',
  'zoneFiles',
])
const Review = lazyPart(() => import('./review/Review.tsx'), 'Review', ['diff', 'plan', 'records', 'review'])
const TextView = lazyPart(() => import('./zone-files/TextView.tsx'), 'TextView', [
  'diff',
  'plan',
  'records',
  'review',
  'zoneFiles',
])
const Unmanaged = lazyPart(() => import('./zone-files/Unmanaged.tsx'), 'Unmanaged', ['records', 'zoneFiles'])

/** The record editor: edits are staged, planned and applied together. */
export function Records() {
  const m = useMessages('records')
  const { number } = useFormats()
  const { id } = useParams({ from: '/inside/domains/$id/records' })
  const search = useSearch({ from: '/inside/domains/$id/records' })
  const navigate = useNavigate({ from: '/domains/$id/records' })
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: catalogue } = useQuery(catalogueQuery)
  const { data: types = [] } = useQuery(recordTypesQuery)
  const staged = useMemo(() => stagedOf(user?.id ?? '', id), [user?.id, id])
  useSettling(id, staged)
  const isOutdated = useSyncExternalStore(outdatedZones.subscribe, outdatedZones.get).has(id)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<'review' | 'paste' | 'import' | null>(null)
  const [pasted, setPasted] = useState('')
  const [isNew, setNew] = useState(false)
  /** Conflicts of an edit from the review. */
  const [fault, setFault] = useState<{ row: string; reason: string } | null>(null)
  const [typed, setTyped] = useState(search.filter ?? '')
  const { loaded, found, error, again } = useZone(
    id,
    typed,
    types.map(({ type }) => type),
  )
  const here = (found ?? loaded)?.records
  useTitle(`${domain.unicodeName} · ${m.records.tab}`)

  const capabilities = catalogue?.find(({ id: provider }) => provider === domain.providerId)?.capabilities
  const by: SortBy = search.sort ?? 'name'
  const order = search.order ?? 'asc'
  const isGrouped = search.group === 'name'

  const rows = useRows({ records: here, staged, filter: typed, by, order, isGrouped })

  const setFilter = (filter: string) => {
    setTyped(filter)
    void navigate({ search: (before) => ({ ...before, filter: filter || undefined }), replace: true })
  }
  const opened = rows.find((row) => row.id === search.record) ?? null
  const open = (row: EditorRow | null) => {
    setNew(false)
    void navigate({ search: (before) => ({ ...before, record: row?.id }), replace: row === null })
  }
  const mayWrite = domain.access !== 'read'
  const going = useSmallEdits(id, staged, () => setDialog('review'))
  const faultOf = useFaultOf(domain.name, capabilities)
  const lockOf = useLock(domain, going)
  const actionsOf = useRowActions({ domainId: id, staged, onOpen: open, lockOf })
  const chosenRows = useMemo(() => rows.filter((row) => chosen.has(row.id)), [rows, chosen])

  useShortcuts({
    onReview: () => staged.size > 0 && setDialog('review'),
    onUndo: () => staged.undo(),
    onRedo: () => staged.redo(),
    onNew: () => mayWrite && setNew(true),
    onPaste: (text) => {
      if (!mayWrite) return
      setPasted(text)
      setDialog('paste')
    },
  })

  const setView = (view: 'text' | 'unmanaged' | undefined) =>
    void navigate({ search: (before) => ({ ...before, view }) })

  const addButton = mayWrite && (
    <Button look="primary" icon="plus" onPress={() => setNew(true)}>
      {m.records.add}
    </Button>
  )

  if (search.view) {
    const close = () => setView(undefined)
    return (
      <Suspense fallback={<Loading lines={10} />}>
        {search.view === 'text' ? (
          <TextView domain={domain} onClose={close} />
        ) : (
          <Unmanaged domainId={id} onClose={close} />
        )}
      </Suspense>
    )
  }
  if (error && !loaded) return <ProblemNote error={error} retry={again} />
  if (!loaded) return <Loading lines={10} />

  return (
    <div className={styles['layout']}>
      <Tools
        domain={domain}
        records={here ?? loaded.records}
        rows={rows}
        filter={typed}
        onFilter={setFilter}
        addButton={addButton}
        isGrouped={isGrouped}
        onGroup={(group) =>
          void navigate({ search: (before) => ({ ...before, group: group ? 'name' : undefined }) })
        }
        onDialog={setDialog}
        onView={setView}
      />
      {domain.lastSyncedAt === null && capabilities?.truth === 'provider' && (
        <Suspense>
          <NeverRead domain={domain} />
        </Suspense>
      )}
      {isOutdated && (
        <Note
          tone="info"
          alert
          actions={<Button onPress={() => void readZoneAgain(id)}>{m.records.showNew}</Button>}
        >
          {m.records.stale}
        </Note>
      )}
      {error && <ProblemNote error={error} retry={again} />}
      {loaded.isPart && (
        <p className="muted" role="status">
          {m.records.loadingMore(number(loaded.records.length), number(loaded.total))}
        </p>
      )}
      {!loaded.isWhole && (
        <Note tone="warn">
          {found
            ? m.records.foundOfMany(number(found.total), number(loaded.total))
            : m.records.tooMany(number(loaded.records.length), number(loaded.total))}
          {m.common.gap}
          {found && !found.isWhole && m.records.foundMore(number(found.records.length))}
        </Note>
      )}
      {chosenRows.length > 0 && mayWrite && (
        <Suspense>
          <ChosenBar
            rows={chosenRows}
            staged={staged}
            domain={domain.name}
            lockOf={lockOf}
            onClear={() => setChosen(new Set())}
          />
        </Suspense>
      )}
      {rows.length === 0 ? (
        typed === '' ? (
          <Empty icon="globe" action={addButton}>
            {m.records.none}
          </Empty>
        ) : (
          <Empty icon="search" action={<Button onPress={() => setFilter('')}>{m.common.clearFilter}</Button>}>
            {m.records.noneFound}
          </Empty>
        )
      ) : (
        <Grid
          rows={rows}
          isGrouped={isGrouped}
          domain={domain.unicodeName}
          staged={staged}
          chosen={chosen}
          onChoose={setChosen}
          sorting={{ by, order }}
          onSort={(next) =>
            void navigate({
              search: (before) => ({
                ...before,
                sort: next === 'name' ? undefined : next,
                order: next === by && order === 'asc' ? 'desc' : undefined,
              }),
            })
          }
          onOpen={open}
          actionsOf={actionsOf}
          lockOf={lockOf}
          faultOf={faultOf}
        />
      )}
      <StagingBar staged={staged} onReview={() => setDialog('review')} />
      <Suspense>
        {dialog === 'review' && (
          <Review
            domain={domain}
            staged={staged}
            records={here ?? loaded.records}
            onFix={(row, reason) => {
              setDialog(null)
              setFault({ row, reason })
              if (rows.every((one) => one.id !== row)) setTyped('')
              void navigate({ search: (before) => ({ ...before, record: row }) })
            }}
            onClose={() => setDialog(null)}
            onApplied={() => setChosen(new Set())}
          />
        )}
        {dialog === 'import' && <ImportZone domainId={id} onClose={() => setDialog(null)} />}
        {dialog === 'paste' && (
          <AddMany
            domain={domain}
            types={types.filter(({ readOnly }) => !readOnly).map(({ type }) => type)}
            pasted={pasted}
            onStage={(fields) => staged.create(fields)}
            onClose={() => {
              setDialog(null)
              setPasted('')
            }}
          />
        )}
        {(isNew || opened !== null) && (
          <RecordPanel
            key={opened?.id ?? 'new'}
            row={isNew ? null : opened}
            types={types.filter(({ type }) => capabilities?.recordTypes.includes(type) ?? true)}
            capabilities={capabilities}
            records={here ?? loaded.records}
            domain={domain}
            lock={opened && !isNew ? lockOf(opened) : null}
            fault={!isNew && fault?.row === opened?.id ? (fault?.reason ?? null) : null}
            onStage={(fields) => {
              setFault(null)
              const [first] = fields
              if (isNew || !opened) staged.create(fields)
              else if (first) staged.change([{ id: opened.id, record: opened.record, fields: first }])
            }}
            onClose={() => open(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
