import { memo, type RefObject } from 'react'
import { readTtl, showTtl } from '../../../zone/ttl.ts'
import { Icon } from '../../../ui/page/Icon.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Badge, type Tone } from '../../../ui/feedback/Note.tsx'
import { visible } from '../../../ui/visible.ts'
import { Cell, type GridField } from './GridCell.tsx'
import { statesOf, type Fields, type EditorRow } from '../model.ts'
import type { FaultOf } from '../panel/useFaultOf.ts'
import styles from './Grid.module.css'

interface RowProps {
  row: EditorRow
  index: number
  top: number
  domain: string
  /** The row above has the same name, so it is muted. */
  repeats: boolean
  /** First record of its name group. */
  begins: boolean
  /** The cell in this row that Tab reaches, if any. */
  reached: GridField | null
  isChosen: boolean
  lock: string | null
  moving: RefObject<boolean>
  onChange: (row: EditorRow, fields: Partial<Fields>) => void
  /** Error in a typed text; null: none. */
  faultOf: FaultOf
}

const TONES: Record<string, Tone> = {
  new: 'good',
  changed: 'warn',
  deleted: 'bad',
  applied: 'good',
  failed: 'bad',
  pending: 'info',
  disabled: 'plain',
  proxied: 'info',
}

/** Rows use plain elements: one library menu per row doubled the script time of scrolling. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { row, index, top, domain, repeats, begins, reached, isChosen, lock, moving, onChange, faultOf } =
    props
  const m = useMessages('records')
  const { record, now } = row
  const states = statesOf(row)
  const staged = states.find(
    (state) => state === 'new' || state === 'changed' || state === 'deleted' || state === 'applied',
  )
  const tried = row.edit?.tried
  const isFixed = lock !== null || row.edit?.kind === 'delete'
  const reason = lock ?? tried?.reason ?? null
  const frame = { index, moving }
  const cell = (field: GridField) => ({ ...frame, field, isReached: reached === field })
  const edit = (fields: Partial<Fields>) => onChange(row, fields)
  const name = visible(record?.unicodeName && record.name === now.name ? record.unicodeName : now.name)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={styles['row']}
      {...(staged !== undefined && { 'data-state': staged })}
      {...(isChosen && { 'data-chosen': true })}
      {...(begins && { 'data-begins': true })}
      {...((lock !== null || !now.enabled) && { 'data-off': true })}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Cell {...cell('pick')} label={m.common.choose(`${now.name} ${now.recordType}`)}>
        <span className={styles['tick']}>{isChosen && <Icon name="check" size={12} />}</span>
      </Cell>
      <Cell
        {...cell('name')}
        label={m.records.name}
        title={`${now.name === '@' ? '' : `${now.name}.`}${domain}`}
        mono
        {...(!isFixed && {
          text: now.name,
          onText: (text: string) => edit({ name: text.trim() || '@' }),
          faultOf: (text: string) => faultOf(row, 'name', text),
        })}
      >
        {repeats ? <span className={styles['suffix']}>{name}</span> : name}
        <span className={styles['suffix']}>{now.name === '@' && !repeats ? ` ${domain}` : ''}</span>
      </Cell>
      <Cell {...cell('type')} label={m.records.type}>
        {now.recordType}
      </Cell>
      <Cell
        {...cell('value')}
        label={m.records.value}
        title={now.value.slice(0, 1000)}
        mono
        {...(!isFixed && {
          text: now.value,
          onText: (text: string) => edit({ value: text.trim() }),
          faultOf: (text: string) => faultOf(row, 'value', text),
        })}
      >
        {visible(now.value.slice(0, 300))}
      </Cell>
      <Cell
        {...cell('ttl')}
        label={m.records.ttl}
        {...(!isFixed && {
          text: now.ttl === null ? '' : showTtl(now.ttl),
          onText: (text: string) => edit({ ttl: readTtl(text) }),
          faultOf: (text: string) => faultOf(row, 'ttl', text),
        })}
      >
        {now.ttl === null ? m.records.automatic : now.ttl === 0 ? m.records.defaultTtl : showTtl(now.ttl)}
      </Cell>
      <Cell {...cell('state')} label={m.records.state} {...(reason !== null && { title: reason })}>
        {lock !== null && tried?.state === 'pending' && <span className="hidden">{lock}</span>}
        {lock !== null && tried?.state !== 'pending' && (
          <>
            <Icon name="lock" size={14} />
            <span className="hidden">{lock}</span>
          </>
        )}
        {tried?.reason && <span className="hidden">{visible(tried.reason)}</span>}
        {states.slice(0, 2).map((state) => (
          <Badge key={state} tone={TONES[state] ?? 'plain'}>
            {m.records.states[state as keyof typeof m.records.states]}
          </Badge>
        ))}
      </Cell>
      <Cell {...cell('menu')} label={m.records.actionsFor(now.name)}>
        <span className={styles['plain']}>
          <Icon name="more" />
        </span>
      </Cell>
    </div>
  )
})
