import type { ReactNode } from 'react'
import { cx } from '../classes.ts'
import { Icon } from '../page/Icon.tsx'
import styles from './Field.module.css'

interface CheckboxProps {
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  /** Some of what it stands for is chosen. */
  isIndeterminate?: boolean
  isDisabled?: boolean
  /** Its name where no text stands beside it. */
  'aria-label'?: string
  children?: ReactNode
}

/** The square of a box, with its tick or dash. */
export function Box({ isIndeterminate = false }: { isIndeterminate?: boolean }) {
  return (
    <span className={styles['box']}>
      {isIndeterminate ? <span aria-hidden="true">–</span> : <Icon name="check" size={14} />}
    </span>
  )
}

/** A box to tick: the browser's own, as tables have one in each row and the sign-in page shall load little. */
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
