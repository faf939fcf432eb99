import type { ReactNode } from 'react'
import { Button } from '../page/Button.tsx'
import { Dialog } from './Dialog.tsx'
import { useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'

interface ShownOnceProps {
  title: string
  /** Purpose, and that it is shown only once. */
  about: string
  children: ReactNode
  /** Further actions. */
  actions?: ReactNode
  /** Called when the user has saved it. */
  kept?: string
  onKept: () => void
}

/** A secret shown once: it stays until the user confirms having saved it. */
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
