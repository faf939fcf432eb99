import type { ReactNode } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { asCsv } from '../../zone/table.ts'
import { Button } from '../../ui/page/Button.tsx'
import { download } from '../../ui/download.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Menu } from '../../ui/page/Menu.tsx'
import { downloadZone } from './zone-files/zone-text.ts'
import { FilterChips, useFilterMenu } from './grid/FilterChips.tsx'
import type { DnsRecord, EditorRow } from './model.ts'
import styles from './Records.module.css'

interface ToolsProps {
  domain: Schemas['Domain']
  records: readonly DnsRecord[]
  /** Visible records. */
  rows: readonly EditorRow[]
  filter: string
  onFilter: (filter: string) => void
  /** Adds a record; false if editing isn't allowed. */
  addButton: ReactNode
  isGrouped: boolean
  onGroup: (isGrouped: boolean) => void
  onDialog: (dialog: 'paste' | 'import') => void
  onView: (view: 'text' | 'unmanaged') => void
}

/** Filter and zone actions above the grid. */
export function Tools(props: ToolsProps) {
  const { domain, records, rows, filter, onFilter, addButton, isGrouped, onGroup, onDialog, onView } = props
  const m = useMessages('records')
  const { number } = useFormats()
  const mayWrite = domain.access !== 'read'
  const words = useFilterMenu(records, filter, onFilter)
  return (
    <>
      <div className={styles['tools']}>
        <div className={styles['filter']}>
          <SearchField id="filter" label={m.records.filter} value={filter} onChange={onFilter} />
        </div>
        <Menu label={m.records.filterBy} icon="filter" look="usual" actions={words} />
        {mayWrite && (
          <>
            {addButton}
            <Button onPress={() => onDialog('paste')}>{m.records.addMany}</Button>
          </>
        )}
        <Menu
          label={m.records.more}
          look="usual"
          actions={[
            {
              id: 'group',
              text: isGrouped ? m.records.ungroup : m.records.group,
              icon: 'sort',
              onAction: () => onGroup(!isGrouped),
            },
            { id: 'text', text: m.records.textView, icon: 'text', onAction: () => onView('text') },
            ...(mayWrite
              ? [
                  {
                    id: 'import',
                    text: m.records.importTitle,
                    icon: 'upload' as const,
                    onAction: () => onDialog('import'),
                  },
                ]
              : []),
            {
              id: 'export',
              text: m.records.export,
              icon: 'download',
              onAction: () => void downloadZone(domain),
            },
            {
              id: 'csv',
              text: m.records.exportCsv,
              icon: 'download',
              onAction: () => download(`${domain.name}.csv`, asCsv(rows.map(({ now }) => now)), 'text/csv'),
            },
            {
              id: 'unmanaged',
              text: m.records.unmanaged(number(domain.unmanaged)),
              icon: 'info',
              onAction: () => onView('unmanaged'),
            },
          ]}
        />
      </div>
      <FilterChips filter={filter} onFilter={onFilter} />
    </>
  )
}
