import { useEffect, useId, useRef, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import { dateText, momentOfText } from './dates.ts'
import { cx } from '../../classes.ts'
import { Button } from '../../page/Button.tsx'
import type { FieldFrame } from '../Field.tsx'
import { FieldHelp, FieldLabel } from '../FieldFrame.tsx'
import { useFormats, useMessages } from '../../language.tsx'
import styles from './DateField.module.css'
import field from '../Field.module.css'

/** Delay before a filter is applied, so that not every typed digit reloads the list. */
const TYPING_MS = 400

interface DateFieldProps extends FieldFrame {
  /** UTC; null: none. */
  value: string | null
  onChange: (value: string | null) => void
  /** Includes the time of day. */
  withTime?: boolean
  /** Used as a filter: may be empty without being marked optional. */
  isFilter?: boolean
  name?: string
  isDisabled?: boolean
}

/**
 * Date, or date and time, in the browser's own picker, time zone and format. A date alone keeps its time of day; a new
 * one starts at local midnight.
 */
export function DateField({
  label,
  help,
  optional,
  value,
  onChange,
  withTime = false,
  isFilter = false,
  ...rest
}: DateFieldProps) {
  const m = useMessages()
  const { utc, zone } = useFormats()
  const zoneId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => dateText(value, withTime))
  /** Keeps the time of day while a partial date counts as empty. */
  const [before, setBefore] = useState(value)
  const [isPart, setPart] = useState(false)
  const given = momentOfText(text, before)
  const saysZone = withTime && !isFilter

  useEffect(() => {
    setText(dateText(value, withTime))
    if (value !== null) setBefore(value)
  }, [value, withTime])
  useEffect(() => {
    if (!isFilter || text === dateText(value, withTime)) return
    const timer = setTimeout(() => onChange(given), TYPING_MS)
    return () => clearTimeout(timer)
  })

  function change(typed: string) {
    setText(typed)
    setPart(false)
    if (!isFilter) onChange(momentOfText(typed, before))
  }
  function clear() {
    // The browser keeps a partial date; it isn't a value yet.
    if (input.current) input.current.value = ''
    setText('')
    setPart(false)
    setBefore(null)
    onChange(null)
    input.current?.focus()
  }
  return (
    <AriaTextField
      {...rest}
      type={withTime ? 'datetime-local' : 'date'}
      value={text}
      onChange={change}
      onBlur={() => setPart(input.current?.validity.badInput === true)}
      isRequired={optional !== true && !isFilter}
      validate={() => (isPart ? m.common.datePart : null)}
      validationBehavior="aria"
      {...(saysZone && { 'aria-describedby': zoneId })}
      className={cx(field['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <span className={field['inline']}>
        <Input
          ref={input}
          className={cx(field['input'], styles['input'])}
          // Four-digit years; otherwise browsers wait for six digits.
          max={withTime ? '9999-12-31T23:59' : '9999-12-31'}
          onInvalid={() => setPart(true)}
          {...(given !== null && { title: utc(given) })}
        />
        {saysZone && (
          <span id={zoneId} className="muted">
            {zone(given ?? undefined)}
          </span>
        )}
        {(optional === true || isFilter) && (text !== '' || isPart) && (
          <Button look="plain" icon="close" iconOnly onPress={clear}>
            {m.common.clear}
          </Button>
        )}
      </span>
      <FieldHelp help={help} />
    </AriaTextField>
  )
}
