import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { cx } from '../classes.ts'
import styles from '../page/Menu.module.css'

interface PopoverProps {
  label: string
  /** What it stands at, which has the focus again when it is closed. */
  anchor: RefObject<(Element & HTMLOrSVGElement) | null>
  /** Where it is drawn, for its anchor. */
  content: RefObject<HTMLDivElement | null>
  children: ReactNode
  onClose: () => void
  onPointerEnter: () => void
  onPointerLeave: () => void
}

/** Something to know and to follow at what is looked at: the page stays as it is, and Escape closes it. */
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
      // Whoever opened it closes it: scrolling does not.
      isKeyboardDismissDisabled
      triggerRef={anchor}
      placement="bottom"
      offset={2}
      className={cx(styles['popover'])}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of what is in it */}
      <div
        ref={content}
        role="group"
        aria-label={label}
        className={styles['note']}
        onKeyDown={onKeyDown}
        // The focus stays where it is, also in browsers that give it to no link.
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
