import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type CSSProperties,
} from 'react'
import { settings } from '../../../api/settings.ts'
import { useFormats, useMessages } from '../../../ui/language.tsx'
import { MenuAt, type MenuAction } from '../../../ui/page/Menu.tsx'
import { GridHead, type HeadProps } from './GridHead.tsx'
import type { GridField } from './GridCell.tsx'
import { GridRow } from './GridRow.tsx'
import type { Fields, EditorRow } from '../model.ts'
import type { Staged } from '../review/staged.ts'
import type { FaultOf } from '../panel/useFaultOf.ts'
import styles from './Grid.module.css'

interface GridProps extends HeadProps {
  rows: readonly EditorRow[]
  /** Keeps records of a name together in any sort order. */
  isGrouped: boolean
  /** Domain of the names. */
  domain: string
  staged: Staged
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
  onOpen: (row: EditorRow) => void
  /** Actions of a row. */
  actionsOf: (row: EditorRow) => MenuAction[]
  /** Why a record is locked; null: editable. */
  lockOf: (row: EditorRow) => string | null
  /** The same function on every render. */
  faultOf: FaultOf
}

/** Narrow windows show a record in two lines. */
const NARROW = matchMedia('(max-width: 760px)')
const FIELDS: GridField[] = ['pick', 'name', 'type', 'value', 'ttl', 'state', 'menu']
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }

function onNarrow(listener: () => void) {
  NARROW.addEventListener('change', listener)
  return () => NARROW.removeEventListener('change', listener)
}

const useNarrow = () => useSyncExternalStore(onNarrow, () => NARROW.matches)

/** Reading computed style forces layout: once per appearance setting, not per render. */
function useRowHeight(isNarrow: boolean): number {
  const { density } = useSyncExternalStore(settings.subscribe, settings.get)
  return useMemo(() => {
    if (isNarrow) return 64
    return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 40
    // oxlint-disable-next-line react/exhaustive-deps -- the style sheet depends on it
  }, [isNarrow, density])
}

/**
 * Grid of a zone's records. It is one tab stop; arrow keys move between cells. Only visible rows and the focused one are
 * rendered.
 */
export function Grid(props: GridProps) {
  const {
    rows,
    isGrouped,
    domain,
    staged,
    chosen,
    onChoose,
    sorting,
    onSort,
    onOpen,
    actionsOf,
    lockOf,
    faultOf,
  } = props
  const m = useMessages('records')
  const { number } = useFormats()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<{ row: number; field: GridField }>({ row: 0, field: 'name' })
  const activeRow = useRef(0)
  /** Whether the next active cell takes the focus. */
  const moving = useRef(false)
  const lastChosen = useRef<number | null>(null)
  const anchor = useRef<Element | null>(null)
  const [menuRow, setMenuRow] = useState<EditorRow | null>(null)
  const isNarrow = useNarrow()
  const height = useRowHeight(isNarrow)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    // The next frame is early enough; scrolling doesn't wait for React.
    useFlushSync: false,
    // Keep the focused row: removing it would move the focus out of the grid.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active.row, range.count - 1)])]
        .filter((row) => row >= 0)
        .sort((a, b) => a - b),
  })

  // A resized window makes the measurement stale.
  useLayoutEffect(() => virtual.measure(), [virtual, height])

  const cellOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset

  function remember({ target }: FocusEvent) {
    const cell = cellOf(target)
    if (!cell) return
    activeRow.current = Number(cell['row'])
    const next = { row: activeRow.current, field: cell['cell'] as GridField }
    // The scroll position was set from here.
    setActive((before) => (before.row === next.row && before.field === next.field ? before : next))
  }

  /** Scrolls a row into view; all rows have one height, so nothing is measured. */
  function show(row: number) {
    const view = scroller.current
    if (!view) return
    const top = row * height
    const least = top + height - view.clientHeight
    if (view.scrollTop > top) view.scrollTop = top
    else if (view.scrollTop < least) view.scrollTop = least
  }

  function moveTo(row: number, field: GridField) {
    // From the active cell, not the focused one: keys come faster than frames.
    activeRow.current = Math.max(0, Math.min(rows.length - 1, row))
    moving.current = true
    setActive({ row: activeRow.current, field })
    show(activeRow.current)
  }

  function choose(index: number, event: { shiftKey: boolean }) {
    const row = rows[index]
    if (!row) return
    const next = new Set(chosen)
    const from = event.shiftKey ? lastChosen.current : null
    if (from === null) {
      if (!next.delete(row.id)) next.add(row.id)
    } else {
      for (const { id } of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) next.add(id)
    }
    lastChosen.current = index
    onChoose(next)
  }

  function openMenu(index: number, at: Element) {
    anchor.current = at
    setMenuRow(rows[index] ?? null)
  }

  function onKeyDown(event: KeyboardEvent) {
    const cell = cellOf(event.target)
    if (!cell || event.target instanceof HTMLInputElement) return
    const field = cell['cell'] as GridField
    const index = activeRow.current
    const handled = handle()
    if (handled) event.preventDefault()

    function handle(): boolean {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return false
      const step = STEPS[event.key]
      if (step !== undefined) {
        moveTo(index + step, field)
        if (event.shiftKey) choose(activeRow.current, { shiftKey: true })
        return true
      }
      const sideways = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (sideways !== 0) {
        moveTo(index, FIELDS[FIELDS.indexOf(field) + sideways] ?? field)
        return true
      }
      switch (event.key) {
        case 'Home':
        case 'End': {
          const isEnd = event.key === 'End'
          const far = isEnd ? rows.length - 1 : 0
          moveTo(event.ctrlKey ? far : index, event.ctrlKey ? field : isEnd ? 'menu' : 'pick')
          return true
        }
        case ' ':
          choose(index, event)
          return true
        case 'a':
          if (!event.ctrlKey && !event.metaKey) return false
          onChoose(new Set(rows.map(({ id }) => id)))
          return true
        case 'ContextMenu':
        case 'F10':
          if (event.key === 'F10' && !event.shiftKey) return false
          openMenu(index, event.target as Element)
          return true
        case 'Enter':
          if (field === 'menu') openMenu(index, event.target as Element)
          else if (field === 'pick') choose(index, event)
          else if (field === 'type' || field === 'state') onOpen(rows[index] as EditorRow)
          else return false
          return true
        default:
          return false
      }
    }
  }

  function onClick(event: MouseEvent) {
    const cell = cellOf(event.target)
    if (!cell) return
    const index = Number(cell['row'])
    if (cell['cell'] === 'pick') choose(index, event)
    else if (cell['cell'] === 'menu') openMenu(index, event.target as Element)
    // Cells in narrow windows are too small to edit in; they open the panel.
    else if (cell['cell'] === 'type' || isNarrow) onOpen(rows[index] as EditorRow)
  }

  // The same function on every render, or every row would render again.
  const change = useCallback(
    (row: EditorRow, fields: Partial<Fields>) => staged.change([{ id: row.id, record: row.record, fields }]),
    [staged],
  )

  return (
    <>
      <span className="hidden" role="status">
        {m.records.shown(number(rows.length), rows.length)}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells take the focus */}
      <div
        role="grid"
        aria-label={m.records.grid}
        aria-rowcount={rows.length + 1}
        aria-colcount={FIELDS.length}
        aria-multiselectable="true"
        className={styles['grid']}
        onKeyDown={onKeyDown}
        onFocus={remember}
        onClick={onClick}
      >
        <GridHead sorting={sorting} onSort={onSort} />
        <div
          ref={scroller}
          className={styles['scroll']}
          style={{ '--whole': virtual.getTotalSize() } as CSSProperties}
          data-testid="scroller"
        >
          <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index] as EditorRow
              const isSame = rows[index - 1]?.now.name === row.now.name
              return (
                <GridRow
                  key={row.id}
                  row={row}
                  index={index}
                  top={start}
                  domain={domain}
                  repeats={(isGrouped || sorting.by === 'name') && isSame}
                  begins={isGrouped && index > 0 && !isSame}
                  reached={Math.min(active.row, rows.length - 1) === index ? active.field : null}
                  isChosen={chosen.has(row.id)}
                  lock={lockOf(row)}
                  moving={moving}
                  onChange={change}
                  faultOf={faultOf}
                />
              )
            })}
          </div>
        </div>
        {menuRow && (
          <MenuAt
            label={m.records.actionsFor(menuRow.now.name)}
            actions={actionsOf(menuRow)}
            anchor={anchor}
            onClose={() => setMenuRow(null)}
          />
        )}
      </div>
    </>
  )
}
