import { useState } from 'react'
import { Button } from '../../../ui/page/Button.tsx'
import { Confirm } from '../../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'

interface TurnOffProps {
  title: string
  turnOff: () => Promise<unknown>
  onDone: () => void
}

/** Turns a second factor off, after a confirmation. */
export function TurnOff({ title, turnOff, onDone }: TurnOffProps) {
  const m = useMessages('account')
  const words = m.account.security
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onPress={() => setAsking(true)}>{words.turnOff}</Button>
      {isAsking && (
        <Confirm
          title={title}
          action={words.turnOff}
          onConfirm={turnOff}
          onClose={(isDone) => {
            setAsking(false)
            if (!isDone) return
            onDone()
            toast(words.disabled)
          }}
        >
          <p>{words.turnOffText}</p>
        </Confirm>
      )}
    </>
  )
}
