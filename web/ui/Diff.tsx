import type { ReactNode } from 'react'
import type { Schemas } from '../api/schema.d.ts'
import { showTtl } from '../dns/ttl.ts'
import { cx } from './classes.ts'
import { useMessages } from './language.tsx'
import { visible } from './visible.ts'
import styles from './Diff.module.css'

type Content = Schemas['RecordContent']

export interface DiffEntry {
  id: string
  before: Content | null
  after: Content | null
  /** Below the lines: a warning, a reason, buttons. */
  note?: ReactNode
}

/** Changes of records as lines: signs and words say what goes and what comes, and changed parts are marked. */
export function Diff({ entries, label }: { entries: readonly DiffEntry[]; label: string }) {
  return (
    <ul className={styles['diff']} aria-label={label}>
      {entries.map(({ id, before, after, note }) => (
        <li key={id}>
          {before && <Line sign="−" content={before} other={after} />}
          {after && <Line sign="+" content={after} other={before} />}
          {note !== undefined && <div className={styles['note']}>{note}</div>}
        </li>
      ))}
    </ul>
  )
}

function Line({ sign, content, other }: { sign: '−' | '+'; content: Content; other: Content | null }) {
  const m = useMessages('diff', 'records')
  const isAdded = sign === '+'
  const mark = (own: string, others: string | undefined) =>
    other && own !== others ? <mark>{visible(own)}</mark> : visible(own)
  const ttlOf = ({ ttl }: Content) => (ttl === null ? m.records.automatic : showTtl(ttl))
  const notes = [
    ...(content.enabled ? [] : [m.records.states.disabled]),
    ...(content.proxied ? [m.records.states.proxied] : []),
    ...(content.comment === '' ? [] : [`# ${content.comment}`]),
  ]
  const notesOf = (one: Content) => `${one.enabled} ${one.proxied} ${one.comment}`
  return (
    <div className={cx(styles['line'], isAdded ? styles['added'] : styles['removed'])}>
      <span>
        <span aria-hidden="true">{sign}</span>
        <span className="hidden">{isAdded ? m.diff.added : m.diff.removed}</span>
      </span>
      <span>{mark(content.name, other?.name)}</span>
      <span>{mark(content.recordType, other?.recordType)}</span>
      <span>{mark(ttlOf(content), other ? ttlOf(other) : undefined)}</span>
      <span>
        <Parts own={content.value} other={other?.value} />
        {notes.length > 0 && (
          <>
            {' '}
            {other && notesOf(other) !== notesOf(content) ? (
              <mark>{visible(notes.join(', '))}</mark>
            ) : (
              visible(notes.join(', '))
            )}
          </>
        )}
      </span>
    </div>
  )
}

/** A value with the part marked that the other has not: what both begin and end with is left plain. */
export function Parts({ own, other }: { own: string; other: string | undefined }) {
  if (other === undefined || other === own) return visible(own)
  let start = 0
  while (start < own.length && own[start] === other[start]) start++
  let end = 0
  while (end < Math.min(own.length, other.length) - start && own.at(-1 - end) === other.at(-1 - end)) end++
  return (
    <>
      {visible(own.slice(0, start))}
      <mark>{visible(own.slice(start, own.length - end))}</mark>
      {visible(own.slice(own.length - end))}
    </>
  )
}
