import { useRef, useState } from 'react'
import { Button } from '../page/Button.tsx'
import { TextField, type FieldFrame } from './Field.tsx'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'
import styles from './TagsField.module.css'

interface TagsProps extends FieldFrame {
  values: readonly string[]
  onChange: (values: string[]) => void
  /** Suggestions: values used elsewhere. */
  known?: readonly string[]
  /** Normalizes typed text; null if it is invalid. */
  read?: (text: string) => string | null
  /** Text of a chip. */
  show?: (value: string) => string
  name?: string
  placeholder?: string
}

const NONE: readonly string[] = []
const asIs = (text: string) => text

/** Maximum number of suggestions. */
const PROPOSALS = 8

/** Short texts as chips: Enter or comma adds one; each has a remove button. */
export function TagsField({
  values,
  onChange,
  known = NONE,
  read = asIs,
  show = visible,
  optional = true,
  help,
  ...rest
}: TagsProps) {
  const m = useMessages()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const proposals = known
    .filter((one) => !values.includes(one) && one.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, PROPOSALS)

  function add(given: readonly string[]) {
    const all = given.map((one) => one.trim()).filter((one) => one !== '')
    const good = all.map((one) => read(one)).filter((one) => one !== null)
    setWrong(good.length < all.length)
    if (good.length < all.length) return
    setText('')
    if (good.length > 0) onChange([...new Set([...values, ...good])])
  }
  return (
    <div ref={box} className={styles['tags']}>
      <TextField
        {...rest}
        optional={optional}
        help={help ?? m.common.addsOne}
        value={text}
        onChange={(typed) => (/[,，、;；]/.test(typed) ? add(typed.split(/[,，、;；]/)) : setText(typed))}
        onBlur={() => add([text])}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1))
          if (event.key !== 'Enter') return
          // Enter adds a value and never submits the form.
          event.preventDefault()
          add([text])
        }}
        {...(isWrong && { isInvalid: true })}
        autoComplete="off"
      />
      {values.length > 0 && (
        <ul className={styles['chips']} aria-label={rest.label}>
          {values.map((value) => (
            <li key={value} className={styles['chip']}>
              {show(value)}
              <Button
                look="plain"
                icon="close"
                iconOnly
                onPress={({ pointerType }) => {
                  // The button goes away; in a dialog, the focus would move to its first field.
                  if (pointerType === 'keyboard') box.current?.querySelector('input')?.focus()
                  onChange(values.filter((one) => one !== value))
                }}
              >
                {m.common.removeOf(show(value))}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {proposals.length > 0 && (
        <ul className={styles['chips']} aria-label={m.common.proposals}>
          {proposals.map((value) => (
            <li key={value}>
              <Button look="plain" icon="plus" onPress={() => onChange([...values, value])}>
                {show(value)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
