import type { ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './Button.tsx'
import { cx } from '../classes.ts'
import type { IconName } from './Icon.tsx'
import styles from './Menu.module.css'

interface PanelProps {
  label: string
  icon: IconName
  children: (close: () => void) => ReactNode
}

/** A button that opens a panel next to it. */
export function PanelButton({ label, icon, children }: PanelProps) {
  return (
    <DialogTrigger>
      <Button look="plain" icon={icon} iconOnly>
        {label}
      </Button>
      <Popover className={cx(styles['popover'])} placement="bottom end">
        <Dialog aria-label={label} className={cx(styles['dialog'])}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
