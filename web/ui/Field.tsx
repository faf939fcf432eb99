import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField'
import { cx } from './classes.ts'
import { useMessages } from './language.tsx'
import styles from './Field.module.css'

export interface FieldFrame {
  label: string
  /** A sentence below. */
  help?: ReactNode
  /** Marked as such; what is not is required. */
  optional?: boolean
}

/** The label above a field. */
export function FieldLabel({ label, optional }: Pick<FieldFrame, 'label' | 'optional'>) {
  const m = useMessages()
  return (
    <Label className={cx(styles['label'])}>
      {label}
      {optional && <span className={styles['optional']}> · {m.common.optional}</span>}
    </Label>
  )
}

/** What stands below a field: help, and what is wrong. */
export function FieldHelp({ help, error }: Pick<FieldFrame, 'help'> & { error?: string | null }) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className={cx(styles['help'])}>
          {help}
        </Text>
      )}
      <FieldError className={cx(styles['error'])}>{error ?? undefined}</FieldError>
    </>
  )
}

type OwnTextField = FieldFrame &
  Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
    /** What is wrong with what it has. */
    error?: string | null
    placeholder?: string
    mono?: boolean
    /** Lines; more than one makes it an area. */
    rows?: number
    /** Beside the input: a button. */
    after?: ReactNode
  }

export function TextField({
  label,
  help,
  optional,
  error = null,
  placeholder,
  mono,
  rows,
  after,
  ...rest
}: OwnTextField) {
  const look = cx(styles['input'], mono && styles['mono'])
  const shown = placeholder === undefined ? {} : { placeholder }
  const input =
    rows === undefined ? (
      <Input {...shown} className={look} />
    ) : (
      <AriaTextArea {...shown} rows={rows} className={cx(look, styles['area'])} />
    )
  return (
    <AriaTextField
      isRequired={optional !== true}
      validationBehavior="aria"
      {...rest}
      {...(error !== null && { isInvalid: true })}
      className={cx(styles['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      {after === undefined ? (
        input
      ) : (
        <span className={styles['inline']}>
          {input}
          {after}
        </span>
      )}
      <FieldHelp help={help} error={error} />
    </AriaTextField>
  )
}
