import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Box } from './Checkbox.tsx'
import type { Chosen } from './Choice.tsx'
import { cx } from '../classes.ts'
import { FieldHelp, FieldLabel } from './FieldFrame.tsx'
import styles from './Field.module.css'

/** Multiple choice from a few visible options. */
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
