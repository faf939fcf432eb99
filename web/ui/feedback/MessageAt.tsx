import type { ReactNode, RefObject } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { cx } from '../classes.ts'
import styles from './Note.module.css'

interface MessageProps {
  /** Id for `aria-describedby`. */
  id: string
  /** Anchor. */
  anchor: RefObject<Element | null>
  children: ReactNode
  /** Called when it is dismissed or scrolled out of view. */
  onClose: () => void
}

/** An error message at an element, above the page: nothing moves, and the focus stays. */
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
