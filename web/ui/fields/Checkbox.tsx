import type { ReactNode } from 'react'
import { cx } from '../classes.ts'
import { Icon } from '../page/Icon.tsx'
import styles from './Field.module.css'

interface CheckboxProps {
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  /** Some, but not all, are selected. */
  isIndeterminate?: boolean
  isDisabled?: boolean
  /** Accessible name without visible text. */
  'aria-label'?: string
  children?: ReactNode
}

/** Box with tick or dash. */
export function Box({ isIndeterminate = false }: { isIndeterminate?: boolean }) {
  return (
    <span className={styles['box']}>
      {isIndeterminate ? <span aria-hidden="true">–</span> : <Icon name="check" size={14} />}
    </span>
  )
}

/** Native checkbox: tables have one per row, and the sign-in page must stay small. */
export function Checkbox({
  isSelected,
  onChange,
  isIndeterminate = false,
  isDisabled = false,
  children,
  ...rest
}: CheckboxProps) {
  return (
    <label className={cx(styles['choice'])}>
      <input
        {...rest}
        type="checkbox"
        className={cx(styles['tick'])}
        checked={isSelected}
        ref={(input) => {
          if (input) input.indeterminate = isIndeterminate
        }}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Box isIndeterminate={isIndeterminate} />
      {children !== undefined && <span>{children}</span>}
    </label>
  )
}
