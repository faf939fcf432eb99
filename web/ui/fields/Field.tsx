import {
  createContext,
  use,
  useId,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { cx } from '../classes.ts'
import { useMessages } from '../language.tsx'
import styles from './Field.module.css'

export interface FieldFrame {
  label: string
  /** Help below the field. */
  help?: ReactNode
  /** Marked as optional; other fields are required. */
  optional?: boolean
}

/** What the label of a field says. */
export function LabelText({ label, optional }: Pick<FieldFrame, 'label' | 'optional'>) {
  const m = useMessages()
  return (
    <>
      {label}
      {optional && <span className={styles['optional']}> · {m.common.optional}</span>}
    </>
  )
}

/** Errors of a form by field name. */
export const FieldErrors = createContext<Readonly<Record<string, readonly string[]>>>({})

type Given = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'name' | 'placeholder'
>

interface TextFieldProps extends FieldFrame, Given {
  value: string
  type?: 'text' | 'password' | 'email' | 'url'
  onChange?: (text: string) => void
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  isRequired?: boolean
  isReadOnly?: boolean
  isDisabled?: boolean
  isInvalid?: boolean
  /** Current error; null: none. */
  error?: string | null
  /** Checks the typed text. */
  validate?: (text: string) => string | null
  mono?: boolean
  /** Number of lines; more than one makes a text area. */
  rows?: number
  /** Button next to the input. */
  after?: ReactNode
}

/** Native text field, as the sign-in page must stay small. */
export function TextField({
  label,
  help,
  optional = false,
  isRequired = !optional,
  isReadOnly = false,
  isDisabled = false,
  isInvalid = false,
  error = null,
  validate,
  type = 'text',
  onChange,
  mono,
  rows,
  after,
  ...given
}: TextFieldProps) {
  const id = useId()
  const told = use(FieldErrors)[given.name ?? ''] ?? []
  const m = useMessages()
  const errors = error === null ? [...told, validate?.(given.value) ?? []].flat() : [error]
  const hasHelp = help !== undefined
  const below = [hasHelp && `${id}-help`, errors.length > 0 && `${id}-error`].filter((one) => one !== false)
  const input = {
    ...given,
    id,
    className: cx(styles['input'], mono && styles['mono'], rows !== undefined && styles['area']),
    readOnly: isReadOnly,
    disabled: isDisabled,
    'aria-required': isRequired || undefined,
    'aria-invalid': isInvalid || errors.length > 0 || undefined,
    ...(below.length > 0 && { 'aria-describedby': below.join(' ') }),
    onChange: ({ target }: { target: { value: string } }) => onChange?.(target.value),
  }
  const box = rows === undefined ? <input {...input} type={type} /> : <textarea {...input} rows={rows} />
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        <LabelText label={label} optional={optional} />
      </label>
      {after === undefined ? (
        box
      ) : (
        <span className={styles['inline']}>
          {box}
          {after}
        </span>
      )}
      {hasHelp && (
        <span id={`${id}-help`} className={styles['help']}>
          {help}
        </span>
      )}
      {errors.length > 0 && (
        <span id={`${id}-error`} className={styles['error']}>
          {errors.join(m.common.gap)}
        </span>
      )}
    </div>
  )
}
