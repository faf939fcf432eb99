import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type ReactNode } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { diffText, placeOf } from '../../zone/diff.ts'
import { Button } from '../page/Button.tsx'
import { DiffLine } from './DiffLine.tsx'
import { useMessages } from '../language.tsx'
import { toast } from '../feedback/Toast.tsx'
import styles from './Diff.module.css'

type Content = Schemas['RecordContent']

export interface DiffEntry {
  id: string
  before: Content | null
  after: Content | null
  /** Content below the lines: warnings, reasons, buttons. */
  note?: ReactNode
}

/** Unchanged records by RRset (`unchangedOf`). */
export type Unchanged = ReadonlyMap<string, readonly Omit<Content, 'routing' | 'priority'>[]>

interface DiffProps {
  entries: readonly DiffEntry[]
  label: string
  unchanged?: Unchanged
  /** Part of a list that is copied elsewhere. */
  isPart?: boolean
}

/** Above this number, only visible lines are rendered. */
const MANY = 200
/** Maximum number of unchanged records shown per RRset. */
const SIBLINGS = 5
const NONE: Unchanged = new Map()

/** Changes as lines with signs and words; differences are highlighted. */
export function Diff({ entries, label, unchanged = NONE, isPart = false }: DiffProps) {
  const entry = (at: number) => <Entry entries={entries} at={at} unchanged={unchanged} />
  return (
    <div className={styles['diff']}>
      {!isPart && <CopyDiff entries={entries} unchanged={unchanged} />}
      {entries.length > MANY ? (
        <Virtual label={label} entries={entries} draw={entry} />
      ) : (
        <ul aria-label={label}>
          {entries.map(({ id }, at) => (
            <li key={id}>{entry(at)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Copies changes as text, if the browser has a clipboard. */
export function CopyDiff({ entries, unchanged }: { entries: readonly DiffEntry[]; unchanged: Unchanged }) {
  const m = useMessages('diff')
  if (!('clipboard' in navigator)) return null
  async function copy() {
    await navigator.clipboard.writeText(diffText(entries, unchanged))
    toast(m.common.copied)
  }
  return (
    <div className={styles['tools']}>
      <Button look="link" onPress={() => void copy()}>
        {m.diff.copy}
      </Button>
    </div>
  )
}

interface VirtualProps {
  entries: readonly DiffEntry[]
  label: string
  draw: (at: number) => ReactNode
}

/** A scrolling list that renders only visible lines. */
function Virtual({ entries, label, draw }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 20,
    useFlushSync: false,
  })
  // Keep the scroll position: the browser adjusts it itself.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes scrolling possible by keyboard
    <div ref={box} className={styles['box']} tabIndex={0} role="region" aria-label={label}>
      <ul aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li
            key={entries[index]?.id}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {draw(index)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Entry({
  entries,
  at,
  unchanged,
}: {
  entries: readonly DiffEntry[]
  at: number
  unchanged: Unchanged
}) {
  const m = useMessages('diff')
  const entry = entries[at]
  if (!entry) return null
  const { before, after, note } = entry
  const place = placeOf(entry)
  const next = entries[at + 1]
  // Unchanged records follow the last change of their RRset.
  const siblings = next && placeOf(next) === place ? [] : (unchanged.get(place) ?? [])
  return (
    <>
      {before && <DiffLine what="removed" content={before} other={after} />}
      {after && <DiffLine what="added" content={after} other={before} />}
      {note !== undefined && <div className={styles['note']}>{note}</div>}
      {siblings.slice(0, SIBLINGS).map((content) => (
        <DiffLine key={content.value} what="unchanged" content={content} />
      ))}
      {siblings.length > SIBLINGS && (
        <div className={styles['note']}>{m.diff.moreUnchanged(siblings.length - SIBLINGS)}</div>
      )}
    </>
  )
}
