import { useRef, type ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Radio, RadioGroup as AriaRadioGroup } from 'react-aria-components/RadioGroup'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { Box, Checkbox } from './Checkbox.tsx'
import { cx } from './classes.ts'
import { FieldHelp, FieldLabel, type FieldFrame } from './Field.tsx'
import { Icon } from './Icon.tsx'
import styles from './Field.module.css'

export { Checkbox }

export function Switch({
  children,
  ...rest
}: Omit<SwitchProps, 'className' | 'style' | 'children'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...rest} className={cx(styles['choice'])}>
      <span className={styles['track']}>
        <span className={styles['thumb']} />
      </span>
      <span>{children}</span>
    </AriaSwitch>
  )
}

export interface Option<T extends string = string> {
  id: T
  text: string
  /** A second line. */
  note?: string
  isDisabled?: boolean
}

interface Chosen<T extends string> extends FieldFrame {
  options: readonly Option<T>[]
  value: T
  onChange: (value: T) => void
  name?: string
  isDisabled?: boolean
}

/** One of a few, all seen at once. */
export function RadioGroup<T extends string>({
  label,
  help,
  optional,
  options,
  onChange,
  ...rest
}: Chosen<T>) {
  return (
    <AriaRadioGroup
      {...rest}
      onChange={(value) => onChange(value as T)}
      validationBehavior="aria"
      className={cx(styles['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <div className={styles['choices']}>
        {options.map(({ id, text, note, isDisabled }) => (
          <Radio key={id} value={id} isDisabled={isDisabled === true} className={cx(styles['choice'])}>
            <span className={cx(styles['box'], styles['dot'])}>
              <span aria-hidden="true">●</span>
            </span>
            <span>
              {text}
              {note !== undefined && <span className={styles['help']}> {note}</span>}
            </span>
          </Radio>
        ))}
      </div>
      <FieldHelp help={help} />
    </AriaRadioGroup>
  )
}

/** Several of a few, all seen at once. */
export function CheckboxGroup<T extends string>({
  label,
  help,
  optional,
  options,
  value,
  onChange,
  name,
}: Omit<Chosen<T>, 'value' | 'onChange'> & { value: readonly T[]; onChange: (value: T[]) => void }) {
  return (
    <AriaCheckboxGroup
      value={[...value]}
      onChange={(values) => onChange(values as T[])}
      {...(name !== undefined && { name })}
      validationBehavior="aria"
      className={cx(styles['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <div className={styles['choices']}>
        {options.map(({ id, text, note, isDisabled }) => (
          <AriaCheckbox key={id} value={id} isDisabled={isDisabled === true} className={cx(styles['choice'])}>
            <Box />
            <span>
              {text}
              {note !== undefined && <span className={styles['help']}> {note}</span>}
            </span>
          </AriaCheckbox>
        ))}
      </div>
      <FieldHelp help={help} />
    </AriaCheckboxGroup>
  )
}

const options = <T extends string>(given: readonly Option<T>[]) =>
  given.map(({ id, text, note, isDisabled }) => (
    <ListBoxItem
      key={id}
      id={id}
      textValue={text}
      isDisabled={isDisabled === true}
      className={cx(styles['option'])}
    >
      <span>
        {text}
        {note !== undefined && <span className={styles['help']}> {note}</span>}
      </span>
    </ListBoxItem>
  ))

interface SelectProps<T extends string> extends Chosen<T> {
  /** The label is for screen readers only. */
  quiet?: boolean
}

/** One of many. */
export function Select<T extends string>({
  label,
  help,
  optional,
  options: given,
  value,
  onChange,
  quiet,
  ...rest
}: SelectProps<T>) {
  return (
    <AriaSelect
      {...rest}
      {...(quiet && { 'aria-label': label })}
      value={value}
      onChange={(chosen) => onChange(chosen as T)}
      validationBehavior="aria"
      className={cx(styles['field'])}
    >
      {!quiet && <FieldLabel label={label} {...(optional && { optional })} />}
      <AriaButton className={cx(styles['input'], styles['select'])}>
        <SelectValue />
        <Icon name="down" size={16} />
      </AriaButton>
      <FieldHelp help={help} />
      <Popover className={cx(styles['popover'])}>
        <ListBox className={cx(styles['options'])}>{options(given)}</ListBox>
      </Popover>
    </AriaSelect>
  )
}

interface ComboProps extends FieldFrame {
  options: readonly Option[]
  value: string
  /** What was typed or chosen. */
  onChange: (text: string) => void
  onChoose?: (id: string) => void
  /** Each choice is taken elsewhere, and the field is for the next. */
  takes?: boolean
  name?: string
  isInvalid?: boolean
  placeholder?: string
  mono?: boolean
}

/** A text that may be any, with proposals. */
export function ComboBox({
  label,
  help,
  optional,
  options: given,
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
      <FieldHelp help={help} />
      <Popover className={cx(styles['popover'])}>
        <ListBox className={cx(styles['options'])}>{options(given)}</ListBox>
      </Popover>
    </AriaComboBox>
  )
}
