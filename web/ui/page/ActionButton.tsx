import { useState } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'

interface ActionProps extends Omit<ButtonProps, 'onPress' | 'isPending'> {
  onAct: () => Promise<unknown>
}

/** A button without confirmation: pending while it runs, errors below. */
export function ActionButton({ onAct, ...rest }: ActionProps) {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function act() {
    setPending(true)
    setError(null)
    try {
      await onAct()
    } catch (problem) {
      setError(problem)
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button sends {...rest} isPending={isPending} onPress={() => void act()} />
      {error !== null && <ProblemNote error={error} />}
    </>
  )
}
