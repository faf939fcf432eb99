import type { ReactNode } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Radio, RadioGroup as AriaRadioGroup } from 'react-aria-components/RadioGroup'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Checkbox } from './Checkbox.tsx'
import { cx } from '../classes.ts'
import type { FieldFrame } from './Field.tsx'
import { FieldHelp, FieldLabel } from './FieldFrame.tsx'
import { Icon } from '../page/Icon.tsx'
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

export interface Chosen<T extends string> extends FieldFrame {
  options: readonly Option<T>[]
  value: T
  onChange: (value: T) => void
  name?: string
  isDisabled?: boolean
}

/** Single choice from a few visible options. */
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
              <span className={styles['pip']} />
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

/** Options of a list. */
export const itemsOf = <T extends string>(given: readonly Option<T>[]) =>
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

/** Single choice from many options. */
export function Select<T extends string>({
  label,
  help,
  optional,
  options,
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
        <ListBox className={cx(styles['options'])}>{itemsOf(options)}</ListBox>
      </Popover>
    </AriaSelect>
  )
}
