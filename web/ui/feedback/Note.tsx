import type { ReactNode } from 'react'
import { cx } from '../classes.ts'
import { Icon, type IconName } from '../page/Icon.tsx'
import styles from './Note.module.css'

export type Tone = 'plain' | 'info' | 'good' | 'warn' | 'bad'

const ICONS: Record<Tone, IconName> = {
  plain: 'info',
  info: 'info',
  good: 'check',
  warn: 'warning',
  bad: 'warning',
}

interface NoteProps {
  tone?: Tone
  children: ReactNode
  /** Buttons below. */
  actions?: ReactNode
  /** Announced to screen readers. */
  alert?: boolean
}

/** A note in a box. */
export function Note({ tone = 'plain', children, actions, alert }: NoteProps) {
  return (
    <div className={cx(styles['note'], styles[tone])} {...(alert && { role: 'alert' })}>
      <Icon name={ICONS[tone]} />
      <div className={styles['text']}>
        <div>{children}</div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
    </div>
  )
}

/** A status label; the color only repeats the word. */
export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: Tone
  icon?: IconName
  children: ReactNode
}) {
  return (
    <span className={cx(styles['badge'], styles[tone])}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}

/** Empty state: one sentence and the next step. */
export function Empty({
  icon,
  children,
  action,
}: {
  icon?: IconName
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles['empty']}>
      {icon && <Icon name={icon} size={36} />}
      <p>{children}</p>
      {action}
    </div>
  )
}
