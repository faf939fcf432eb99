import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { cx } from '../classes.ts'
import styles from '../page/Menu.module.css'

interface PopoverProps {
  label: string
  /** Anchor, which gets the focus back on closing. */
  anchor: RefObject<(Element & HTMLOrSVGElement) | null>
  /** Container of the popover. */
  content: RefObject<HTMLDivElement | null>
  children: ReactNode
  onClose: () => void
  onPointerEnter: () => void
  onPointerLeave: () => void
}

/** Information with links at an element; not modal, Escape closes it. */
export function PopoverAt({ label, anchor, content, children, onClose, ...pointer }: PopoverProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    anchor.current?.focus()
    onClose()
  }
  return (
    <Popover
      isNonModal
      isOpen
      // The opener closes it; scrolling does not.
      isKeyboardDismissDisabled
      triggerRef={anchor}
      placement="bottom"
      offset={2}
      className={cx(styles['popover'])}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its content */}
      <div
        ref={content}
        role="group"
        aria-label={label}
        className={styles['note']}
        onKeyDown={onKeyDown}
        // Keep the focus, also in browsers that don't focus links.
        onMouseDown={(event) => event.preventDefault()}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (!currentTarget.contains(relatedTarget) && !anchor.current?.contains(relatedTarget)) onClose()
        }}
        {...pointer}
      >
        {children}
      </div>
    </Popover>
  )
}
