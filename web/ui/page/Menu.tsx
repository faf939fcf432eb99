import type { ReactElement, RefObject } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Button, type Look } from './Button.tsx'
import { cx } from '../classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import styles from './Menu.module.css'

export interface MenuAction {
  id: string
  text: string
  icon?: IconName
  danger?: boolean
  isDisabled?: boolean
  onAction: () => void
}

interface MenuProps {
  label: string
  actions: readonly MenuAction[]
  icon?: IconName
  /** Shows the label. */
  text?: boolean
  look?: Look
}

/** A button with a menu. */
export function Menu({
  label,
  actions,
  icon = 'more',
  text = false,
  look = 'plain',
}: MenuProps): ReactElement {
  return (
    <MenuTrigger>
      <Button look={look} icon={icon} iconOnly={!text}>
        {label}
      </Button>
      <Popover className={cx(styles['popover'])}>
        <Items label={label} actions={actions} />
      </Popover>
    </MenuTrigger>
  )
}

interface MenuAtProps {
  label: string
  actions: readonly MenuAction[]
  /** Anchor. */
  anchor: RefObject<Element | null>
  onClose: () => void
}

/** A menu at the element that opened it: one for all rows of a large table. */
export function MenuAt({ label, actions, anchor, onClose }: MenuAtProps): ReactElement {
  return (
    <Popover
      isOpen
      triggerRef={anchor}
      placement="bottom end"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={cx(styles['popover'])}
    >
      <Items label={label} actions={actions} onClose={onClose} />
    </Popover>
  )
}

function Items({ label, actions, onClose }: Pick<MenuProps, 'label' | 'actions'> & { onClose?: () => void }) {
  // Align the labels.
  const hasIcons = actions.some(({ icon }) => icon !== undefined)
  return (
    <AriaMenu aria-label={label} autoFocus className={cx(styles['menu'])} {...(onClose && { onClose })}>
      {actions.map(({ id, text, icon, danger, isDisabled, onAction }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={text}
          isDisabled={isDisabled === true}
          onAction={onAction}
          className={cx(styles['item'], danger && styles['danger'])}
        >
          {icon ? <Icon name={icon} size={16} /> : hasIcons && <span className={styles['no-icon']} />}
          {text}
        </MenuItem>
      ))}
    </AriaMenu>
  )
}
