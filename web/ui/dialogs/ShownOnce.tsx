import type { ReactNode } from 'react'
import { Button } from '../page/Button.tsx'
import { Dialog } from './Dialog.tsx'
import { useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'

interface ShownOnceProps {
  title: string
  /** What it is for, and that it does not come again. */
  about: string
  children: ReactNode
  /** What leads on from it besides. */
  actions?: ReactNode
  /** What is pressed when somebody has it. */
  kept?: string
  onKept: () => void
}

/** A secret that is shown this once: it stays until somebody says that they have it, and is gone with the dialog. */
export function ShownOnce({ title, about, children, actions, kept, onKept }: ShownOnceProps) {
  const m = useMessages()
  return (
    <Dialog
      stays
      title={title}
      onClose={onKept}
      actions={
        <>
          <Button look="primary" icon="check" onPress={onKept}>
            {kept ?? m.common.kept}
          </Button>
          {actions}
        </>
      }
    >
      <Note tone="warn">{about}</Note>
      {children}
    </Dialog>
  )
}
