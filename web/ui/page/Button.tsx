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
  /** Text for screen readers and tooltip only. */
  iconOnly?: boolean
  /** Needs the network, so it is disabled offline. Submit buttons always do. */
  sends?: boolean
}

/** Classes of a button, also for links. */
export const buttonClass = (look: Look = 'usual', iconOnly = false) =>
  cx(styles['button'], look !== 'usual' && styles[look], iconOnly && styles['icon'])

/** A button; disabled and labeled accordingly while `isPending`. */
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
