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
  /** Below the lines: a warning, a reason, buttons. */
  note?: ReactNode
}

/** What stays as it is of each set (`unchangedOf`). */
export type Unchanged = ReadonlyMap<string, readonly Omit<Content, 'routing' | 'priority'>[]>

interface DiffProps {
  entries: readonly DiffEntry[]
  label: string
  unchanged?: Unchanged
  /** Of a whole that is copied elsewhere. */
  isPart?: boolean
}

/** More than these are drawn as they scroll past. */
const MANY = 200
/** So many records that stay are shown of a set. */
const SIBLINGS = 5
const NONE: Unchanged = new Map()

/** Changes of records as lines: signs and words say what goes and what comes, and changed parts are marked. */
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

/** Takes changes as text, where the browser has a clipboard. */
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

/** A list in a box that scrolls, of which only what is seen is there. */
function Virtual({ entries, label, draw }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 20,
    useFlushSync: false,
  })
  // Where it is scrolled to stays where it is: the browser moves there by itself.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard
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
  // After the last of the set, that what stays is seen once.
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
