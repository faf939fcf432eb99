import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox'
import { cx } from './classes.ts'
import { Icon } from './Icon.tsx'
import styles from './Field.module.css'

type OwnCheckbox = Omit<CheckboxProps, 'className' | 'style' | 'children'> & { children?: ReactNode }

export function Checkbox({ children, ...rest }: OwnCheckbox) {
  return (
    <AriaCheckbox {...rest} className={cx(styles['choice'])}>
      {({ isIndeterminate }) => (
        <>
          <span className={styles['box']}>
            {isIndeterminate ? <span aria-hidden="true">–</span> : <Icon name="check" size={14} />}
          </span>
          {children !== undefined && <span>{children}</span>}
        </>
      )}
    </AriaCheckbox>
  )
}
