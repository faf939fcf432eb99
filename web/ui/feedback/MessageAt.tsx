import type { ReactNode, RefObject } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { cx } from '../classes.ts'
import styles from './Note.module.css'

interface MessageProps {
  /** For `aria-describedby` of what it is about. */
  id: string
  /** What it is about. */
  anchor: RefObject<Element | null>
  children: ReactNode
  /** It is scrolled away, or put away. */
  onClose: () => void
}

/** What is wrong, said above the page at what is wrong: nothing moves, and the focus stays where it is. */
export function MessageAt({ id, anchor, children, onClose }: MessageProps) {
  return (
    <Popover
      isNonModal
      isOpen
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
      onOpenChange={onClose}
      className={cx(styles['at'])}
    >
      <p id={id} role="alert">
        {children}
      </p>
    </Popover>
  )
}
