import { useRef } from 'react'
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { itemsOf, type Option } from './Choice.tsx'
import { cx } from '../classes.ts'
import type { FieldFrame } from './Field.tsx'
import { FieldHelp, FieldLabel } from './FieldFrame.tsx'
import styles from './Field.module.css'

interface ComboProps extends FieldFrame {
  options: readonly Option[]
  value: string
  /** What was typed or chosen. */
  onChange: (text: string) => void
  onChoose?: (id: string) => void
  /** Each choice is taken elsewhere, and the field is for the next. */
  takes?: boolean
  name?: string
  /** What is wrong with what it has. */
  error?: string | null
  placeholder?: string
  mono?: boolean
}

/** A text that may be any, with proposals. */
export function ComboBox({
  label,
  help,
  optional,
  error = null,
  options,
  value,
  onChange,
  onChoose,
  takes,
  placeholder,
  mono,
  ...rest
}: ComboProps) {
  // Of several only what is pressed is taken, not what the list happens to stand at as the field is left.
  const byTab = useRef(false)
  return (
    <AriaComboBox
      {...rest}
      {...(error !== null && { isInvalid: true })}
      {...(takes && { selectedKey: null })}
      inputValue={value}
      onInputChange={onChange}
      {...(onChoose && {
        onSelectionChange: (id: unknown) => {
          if (typeof id === 'string' && !(takes && byTab.current)) onChoose(id)
        },
      })}
      allowsCustomValue
      menuTrigger="focus"
      validationBehavior="aria"
      isRequired={optional !== true}
      className={cx(styles['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <Input
        onFocus={() => (byTab.current = false)}
        onKeyDownCapture={({ key }) => (byTab.current = key === 'Tab')}
        {...(placeholder !== undefined && { placeholder })}
        className={cx(styles['input'], mono && styles['mono'])}
      />
      <FieldHelp help={help} error={error} />
      <Popover className={cx(styles['popover'])}>
        <ListBox className={cx(styles['options'])}>{itemsOf(options)}</ListBox>
      </Popover>
    </AriaComboBox>
  )
}
