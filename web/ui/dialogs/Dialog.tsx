import { useState, type ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../page/Button.tsx'
import { cx } from '../classes.ts'
import { TextField } from '../fields/Field.tsx'
import { useMessages } from '../language.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'
import styles from './Dialog.module.css'

interface DialogProps {
  title: string
  children: ReactNode
  /** Buttons at the bottom. */
  actions?: ReactNode
  onClose: () => void
  wide?: boolean
  /** Neither Escape nor a click outside closes it. */
  stays?: boolean
  role?: 'dialog' | 'alertdialog'
}

/** A modal dialog, open while mounted. */
export function Dialog({ title, children, actions, onClose, wide, stays, role = 'dialog' }: DialogProps) {
  const m = useMessages()
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable={stays !== true}
      isKeyboardDismissDisabled={stays === true}
      className={cx(styles['backdrop'])}
    >
      <Modal className={cx(styles['modal'], wide && styles['wide'])}>
        <AriaDialog role={role} className={cx(styles['dialog'])}>
          <div className={styles['head']}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!stays && (
              <Button look="plain" icon="close" iconOnly onPress={onClose}>
                {m.common.close}
              </Button>
            )}
          </div>
          <div className={styles['body']}>{children}</div>
          {actions !== undefined && <div className={styles['foot']}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmProps {
  title: string
  children: ReactNode
  /** Label of the confirming button. */
  action: string
  /** Text to type before confirming. */
  typed?: string
  danger?: boolean
  /** False if no request is sent; it then works offline. */
  sends?: boolean
  onConfirm: () => Promise<unknown>
  /** `isDone`: confirmed and completed. */
  onClose: (isDone?: boolean) => void
}

/** Asks before something irreversible; shows errors inside. */
export function Confirm({
  title,
  children,
  action,
  typed,
  danger = true,
  sends = true,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const m = useMessages()
  const [text, setText] = useState('')
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function confirm() {
    setPending(true)
    setError(null)
    try {
      await onConfirm()
      onClose(true)
    } catch (problem) {
      setError(problem)
      setPending(false)
    }
  }
  return (
    <Dialog
      title={title}
      role="alertdialog"
      onClose={() => onClose()}
      actions={
        <>
          <Button
            look={danger ? 'danger' : 'primary'}
            sends={sends}
            isPending={isPending}
            isDisabled={typed !== undefined && text.trim() !== typed}
            onPress={() => void confirm()}
          >
            {action}
          </Button>
          <Button onPress={() => onClose()}>{m.common.cancel}</Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <TextField
          label={m.common.typeToConfirm(typed)}
          value={text}
          onChange={setText}
          autoComplete="off"
          mono
        />
      )}
      {error !== null && <ProblemNote error={error} />}
    </Dialog>
  )
}
