import { Input } from 'react-aria-components/Input'
import { NumberField as AriaNumberField } from 'react-aria-components/NumberField'
import { cx } from '../classes.ts'
import type { FieldFrame } from './Field.tsx'
import { FieldHelp, FieldLabel } from './FieldFrame.tsx'
import styles from './Field.module.css'

interface NumberProps extends FieldFrame {
  name?: string
  value?: number
  defaultValue?: number
  onChange?: (value: number) => void
  minValue?: number
  maxValue?: number
  isDisabled?: boolean
  isReadOnly?: boolean
}

export function NumberField({ label, help, optional, ...rest }: NumberProps) {
  return (
    <AriaNumberField
      isRequired={optional !== true}
      validationBehavior="aria"
      formatOptions={{ useGrouping: false }}
      {...rest}
      className={cx(styles['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <Input className={cx(styles['input'])} />
      <FieldHelp help={help} />
    </AriaNumberField>
  )
}
