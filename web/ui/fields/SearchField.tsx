import { useRef, type KeyboardEvent } from 'react'
import { Button } from '../page/Button.tsx'
import { cx } from '../classes.ts'
import { useMessages } from '../language.tsx'
import styles from './Field.module.css'

interface SearchProps {
  label: string
  value: string
  onChange: (value: string) => void
  onSubmit?: (value: string) => void
  placeholder?: string
  autoFocus?: boolean
  id?: string
}

/** Search or filter box with a hidden label; Escape clears it. */
export function SearchField({ label, value, onChange, onSubmit, placeholder = label, ...rest }: SearchProps) {
  const m = useMessages()
  const input = useRef<HTMLInputElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    // Leave keys to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && onSubmit) onSubmit(value)
    else if (event.key === 'Escape' && value !== '') onChange('')
    else return
    // Don't submit a form or close the dialog around it.
    event.preventDefault()
    event.stopPropagation()
  }
  function clear() {
    onChange('')
    input.current?.focus()
  }
  return (
    <span className={styles['inline']}>
      <input
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className={cx(styles['input'])}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      {value !== '' && (
        <Button look="plain" icon="close" iconOnly excludeFromTabOrder onPress={clear}>
          {m.common.clear}
        </Button>
      )}
    </span>
  )
}
