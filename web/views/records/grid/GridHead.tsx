import { useMessages } from '../../../ui/language.tsx'
import { Icon } from '../../../ui/page/Icon.tsx'
import type { GridField } from './GridCell.tsx'
import styles from './Grid.module.css'

export type SortBy = 'name' | 'type' | 'value' | 'ttl'

export interface HeadProps {
  sorting: { by: SortBy; order: 'asc' | 'desc' }
  onSort: (by: SortBy) => void
}

/** Column headers; a click sorts, another reverses. */
export function GridHead({ sorting, onSort }: HeadProps) {
  const m = useMessages('records')
  const titles: [GridField, string][] = [
    ['pick', m.records.chosen],
    ['name', m.records.name],
    ['type', m.records.type],
    ['value', m.records.value],
    ['ttl', m.records.ttl],
    ['state', m.records.state],
    ['menu', m.common.actions],
  ]
  return (
    <div role="row" className={`${styles['row']} ${styles['head']}`} aria-rowindex={1}>
      {titles.map(([field, title]) => {
        const isSortable = field === 'name' || field === 'type' || field === 'value' || field === 'ttl'
        const isSorted = sorting.by === field
        const direction = sorting.order === 'asc' ? 'ascending' : 'descending'
        return (
          <div key={field} role="columnheader" aria-sort={isSorted ? direction : 'none'}>
            {isSortable ? (
              <button type="button" className={styles['sort']} onClick={() => onSort(field)}>
                {title}
                {isSorted && <Icon name={sorting.order === 'asc' ? 'up' : 'down'} size={14} />}
              </button>
            ) : (
              <span className={field === 'state' ? undefined : 'hidden'}>{title}</span>
            )}
          </div>
        )
      })}
    </div>
  )
}
