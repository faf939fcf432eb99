import type { Schemas } from '../../api/schema.d.ts'
import { showTtl } from '../../zone/ttl.ts'
import { cx } from '../classes.ts'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'
import styles from './Diff.module.css'

type Content = Omit<Schemas['RecordContent'], 'routing' | 'priority'>

interface LineProps {
  /** Deleted, added or unchanged. */
  what: 'removed' | 'added' | 'unchanged'
  content: Content
  /** The other value, for highlighting differences. */
  other?: Content | null
}

const SIGNS = { removed: '−', added: '+', unchanged: '' }

/** One record of a diff, with a sign and a word for the change. */
export function DiffLine({ what, content, other = null }: LineProps) {
  const m = useMessages('diff', 'records')
  const mark = (own: string, others: string | undefined) =>
    other && own !== others ? <mark>{visible(own)}</mark> : visible(own)
  const ttlOf = ({ ttl }: Content) => (ttl === null ? m.records.automatic : showTtl(ttl))
  const notes = [
    ...(content.enabled ? [] : [m.records.states.disabled]),
    ...(content.proxied ? [m.records.states.proxied] : []),
    ...(content.comment === '' ? [] : [`# ${content.comment}`]),
  ].join(', ')
  const notesOf = (one: Content) => `${one.enabled} ${one.proxied} ${one.comment}`
  return (
    <div className={cx(styles['line'], styles[what])}>
      <span>
        <span aria-hidden="true">{SIGNS[what]}</span>
        <span className="hidden">{m.diff[what]}</span>
      </span>
      <span>{mark(content.name, other?.name)}</span>
      <span>{mark(content.recordType, other?.recordType)}</span>
      <span>{mark(ttlOf(content), other ? ttlOf(other) : undefined)}</span>
      <span>
        <Parts own={content.value} other={other?.value} />
        {notes !== '' && (
          <>
            {' '}
            {other && notesOf(other) !== notesOf(content) ? <mark>{visible(notes)}</mark> : visible(notes)}
          </>
        )}
      </span>
    </div>
  )
}

/** A value with its difference highlighted, without the common beginning and end. */
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
