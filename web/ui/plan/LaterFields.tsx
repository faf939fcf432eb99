import { useId } from 'react'
import { RadioGroup, Select } from '../fields/Choice.tsx'
import { DateField } from '../fields/dates/DateField.tsx'
import { Note } from '../feedback/Note.tsx'
import { useMessages } from '../language.tsx'
import type { ChosenLater } from './later.ts'
import styles from './LaterFields.module.css'

const NEVER = '0'
const MINUTES = [5, 10, 15, 30, 60, 240, 1440]

interface LaterProps {
  value: ChosenLater
  onChange: (value: ChosenLater) => void
}

/** Applies a plan at a time, or reverts it unless it is confirmed. */
export function LaterFields({ value, onChange }: LaterProps) {
  const m = useMessages('later')
  const words = m.later
  const id = useId()
  const { isTimed, applyAt, confirmWithin } = value
  // Programs may have chosen another time.
  const minutes = [...new Set([...MINUTES, ...(confirmWithin === null ? [] : [confirmWithin])])]
  return (
    <section aria-labelledby={id} className={styles['later']}>
      <h3 id={id} className="hidden">
        {words.title}
      </h3>
      <div className={styles['fields']}>
        <RadioGroup
          label={words.when}
          value={isTimed ? 'time' : 'now'}
          onChange={(chosen) => onChange({ ...value, isTimed: chosen === 'time' })}
          options={[
            { id: 'now', text: words.now },
            { id: 'time', text: words.atTime },
          ]}
        />
        {isTimed && (
          <DateField
            withTime
            label={words.time}
            name="applyAt"
            value={applyAt}
            onChange={(at) => onChange({ ...value, applyAt: at })}
          />
        )}
        <Select
          label={words.confirm}
          value={String(confirmWithin ?? NEVER)}
          onChange={(chosen) =>
            onChange({ ...value, confirmWithin: chosen === NEVER ? null : Number(chosen) })
          }
          options={[
            { id: NEVER, text: words.never },
            ...minutes.toSorted((a, b) => a - b).map((one) => ({ id: String(one), text: words.within(one) })),
          ]}
        />
      </div>
      {isTimed && <p className="muted">{words.timeHelp}</p>}
      {confirmWithin !== null && <Note tone="info">{words.confirmHelp}</Note>}
    </section>
  )
}
