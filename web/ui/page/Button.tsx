import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { useMessages } from '../language.tsx'
import { cx } from '../classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import { useOnline } from '../feedback/Offline.tsx'
import styles from './Button.module.css'

export type Look = 'usual' | 'primary' | 'danger' | 'plain' | 'link'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children?: ReactNode
  look?: Look
  icon?: IconName
  /** The text is for screen readers and the title only. */
  iconOnly?: boolean
  /** It sends something to be done, which can't be while the browser is offline. Forms' own buttons always do. */
  sends?: boolean
}

/** The classes of what looks like a button: also for links. */
export const buttonClass = (look: Look = 'usual', iconOnly = false) =>
  cx(styles['button'], look !== 'usual' && styles[look], iconOnly && styles['icon'])

/** A button that says what it does; while `isPending` it says so, and can't be pressed. */
export function Button({
  children,
  look = 'usual',
  icon,
  iconOnly = false,
  sends = false,
  ...rest
}: ButtonProps) {
  const m = useMessages()
  const isOnline = useOnline()
  const isStopped = !isOnline && (sends || rest.type === 'submit')
  const label = iconOnly && typeof children === 'string' ? { 'aria-label': children } : {}
  return (
    <AriaButton
      {...rest}
      {...label}
      {...(isStopped && { isDisabled: true })}
      className={buttonClass(look, iconOnly)}
    >
      {({ isPending }) => (
        <>
          {isPending ? (
            <ProgressBar aria-label={m.common.working} isIndeterminate className={cx(styles['spin'])} />
          ) : (
            icon && <Icon name={icon} />
          )}
          {!iconOnly && children}
        </>
      )}
    </AriaButton>
  )
}
