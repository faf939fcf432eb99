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
  /** Typed or chosen text. */
  onChange: (text: string) => void
  onChoose?: (id: string) => void
  /** Called for each choice; the field is then cleared for the next one. */
  takes?: boolean
  name?: string
  /** Error of the current value. */
  error?: string | null
  placeholder?: string
  mono?: boolean
  /** May be empty, without a mark that says so. */
  isFilter?: boolean
}

/** Free text with suggestions. */
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
  isFilter = false,
  ...rest
}: ComboProps) {
  // When several can be added, only a click takes one, not the focused option on leaving the field.
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
      isRequired={optional !== true && !isFilter}
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
