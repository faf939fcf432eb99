import type { ReactNode } from 'react'
import { cx } from '../classes.ts'
import { Checkbox } from '../fields/Checkbox.tsx'
import { Icon } from './Icon.tsx'
import { useMessages } from '../language.tsx'
import styles from './Table.module.css'

export interface Column<Row> {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** Names the row for screen readers; one column must. */
  head?: boolean
  /** Numbers, aligned right. */
  end?: boolean
  tight?: boolean
  /** Title for screen readers only. */
  quiet?: boolean
  sortable?: boolean
}

export interface Sorting {
  by: string
  order: 'asc' | 'desc'
}

interface Selecting {
  chosen: ReadonlySet<string>
  onChange: (chosen: Set<string>) => void
  /** Accessible name of a row's checkbox. */
  label: (id: string) => string
  /** Rows that can't be selected. */
  isFixed?: (id: string) => boolean
}

interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  sorting?: Sorting
  onSort?: (sorting: Sorting) => void
  selecting?: Selecting
}

/** A plain table; on narrow screens each row is a card. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, idOf, sorting, onSort, selecting } = props
  return (
    <div className={styles['box']}>
      <table className={cx(styles['table'], styles['cards'])} aria-label={label}>
        <thead>
          <tr>
            {selecting && <AllBox ids={rows.map(idOf)} selecting={selecting} />}
            {columns.map((column) => (
              <HeadCell key={column.id} {...{ column, sorting, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = idOf(row)
            const isChosen = selecting?.chosen.has(id) === true
            return (
              <tr key={id} {...(isChosen && { 'data-chosen': true })}>
                {selecting && (
                  <td className={cx(styles['tight'], styles['pick'])}>
                    <Checkbox
                      aria-label={selecting.label(id)}
                      isSelected={isChosen}
                      isDisabled={selecting.isFixed?.(id) === true}
                      onChange={() => selecting.onChange(toggled(selecting.chosen, id))}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <BodyCell key={column.id} column={column} row={row} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const toggled = (chosen: ReadonlySet<string>, id: string) => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

function AllBox({ ids: all, selecting }: { ids: string[]; selecting: Selecting }) {
  const m = useMessages()
  const ids = all.filter((id) => selecting.isFixed?.(id) !== true)
  const here = ids.filter((id) => selecting.chosen.has(id)).length
  const isAll = ids.length > 0 && here === ids.length
  return (
    <th scope="col" className={styles['tight']}>
      <Checkbox
        aria-label={m.common.chooseAll}
        isSelected={isAll}
        isIndeterminate={here > 0 && !isAll}
        onChange={() => {
          const others = [...selecting.chosen].filter((id) => !ids.includes(id))
          selecting.onChange(new Set(isAll ? others : [...others, ...ids]))
        }}
      />
    </th>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sorting: Sorting | undefined
  onSort: ((sorting: Sorting) => void) | undefined
}

function HeadCell<Row>({
  column: { id, title, end, tight, quiet, sortable },
  sorting,
  onSort,
}: HeadProps<Row>) {
  const isSorted = sorting?.by === id
  const order = isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'
  const look = cx(end && styles['end'], tight && styles['tight'])
  if (!sortable || !onSort) {
    return (
      <th scope="col" className={look}>
        {quiet ? <span className="hidden">{title}</span> : title}
      </th>
    )
  }
  return (
    <th scope="col" className={look} aria-sort={order}>
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort({ by: id, order: isSorted && sorting.order === 'asc' ? 'desc' : 'asc' })}
      >
        {title}
        <Icon name={!isSorted ? 'sort' : sorting.order === 'asc' ? 'up' : 'down'} size={14} />
      </button>
    </th>
  )
}

function BodyCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const look = cx(column.end && styles['end'], column.tight && styles['tight'])
  const content = column.cell(row)
  if (column.head) {
    return (
      <th scope="row" className={look}>
        {content}
      </th>
    )
  }
  return (
    <td className={look} data-label={column.quiet ? '' : column.title}>
      {content}
    </td>
  )
}
