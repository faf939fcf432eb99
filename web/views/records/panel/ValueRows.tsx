import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import type { Fault } from '../../../zone/faults.ts'
import type { Around } from '../../../zone/hints.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../../ui/language.tsx'
import { Hints } from './Hints.tsx'
import styles from '../Records.module.css'
import { ValueFields } from './ValueFields.tsx'

/** A value in the form; the id is its React key. */
export interface ValueRow {
  id: number
  value: string
}

interface RowsProps {
  info: Schemas['RecordTypeInfo'] | undefined
  name: string
  rows: readonly ValueRow[]
  onChange: (rows: readonly ValueRow[]) => void
  around: Around
  /** Several values are possible and a new record is being added. */
  several: boolean
  /** Attempts to stage them. */
  tried: number
  faultOf: (value: string) => Fault | null
}

/** Values of one name and type, one row each; Shift+Enter adds, Backspace removes. */
export function ValueRows({ info, name, rows, onChange, around, several, tried, faultOf }: RowsProps) {
  const m = useMessages('recordPanel')
  const { number } = useFormats()
  const words = m.recordPanel
  const box = useRef<HTMLDivElement>(null)
  /** Row to focus once it is rendered. */
  const next = useRef<number | null>(null)
  useEffect(() => {
    if (next.current === null) return
    const row = box.current?.querySelector(`[data-value="${next.current}"]`)
    row?.querySelector<HTMLElement>('input, textarea')?.focus()
    next.current = null
  })

  function add(after: number) {
    const id = Math.max(...rows.map((row) => row.id)) + 1
    next.current = id
    onChange(rows.toSpliced(after + 1, 0, { id, value: '' }))
  }
  function remove(at: number) {
    next.current = (rows[at - 1] ?? rows[at + 1])?.id ?? null
    onChange(rows.toSpliced(at, 1))
  }
  /** Capture phase: the fields handle Enter themselves. */
  const onKeys = (at: number) => (event: KeyboardEvent) => {
    if (!several) return
    if (event.key === 'Enter' && event.shiftKey) add(at)
    else if (event.key === 'Backspace' && rows[at]?.value === '' && rows.length > 1) remove(at)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={box} className="stack">
      {rows.map(({ id, value }, at) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys that its fields don't handle
        <div
          key={id}
          data-value={id}
          {...(rows.length > 1 && {
            role: 'group',
            'aria-label': words.valueOf(number(at + 1)),
            className: styles['value'],
          })}
          onKeyDownCapture={onKeys(at)}
        >
          <div className="stack">
            <ValueFields
              info={info}
              value={value}
              onChange={(text) => onChange(rows.with(at, { id, value: text }))}
              around={around}
              isOnly={rows.length === 1}
              isFirst={at === 0}
              tried={tried}
              fault={faultOf(value)}
            />
            <Hints fields={{ name, recordType: info?.type ?? '', value }} around={around} />
          </div>
          {rows.length > 1 && (
            <Button look="plain" icon="trash" iconOnly onPress={() => remove(at)}>
              {words.removeValue(number(at + 1))}
            </Button>
          )}
        </div>
      ))}
      {several && (
        <div className={styles['another']}>
          <Button look="link" onPress={() => add(rows.length - 1)}>
            {words.addValue}
          </Button>
          {rows.length > 1 && <small className="muted">{words.addValueHelp}</small>}
        </div>
      )}
    </div>
  )
}
