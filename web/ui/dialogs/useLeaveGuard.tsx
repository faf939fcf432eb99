import { useBlocker } from '@tanstack/react-router'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Confirm } from './Dialog.tsx'
import { useMessages } from '../language.tsx'

interface LeaveGuard {
  /** The dialog, while it asks. */
  question: ReactNode
  /** Marks the input as saved; `value` if the form continues with another one. */
  saved: (value?: unknown) => void
}

/** Asks before a view with unsaved input is left. `value`: the whole form, serializable as JSON. */
export function useLeaveGuard(value: unknown): LeaveGuard {
  const m = useMessages('leaving')
  const words = m.leaving
  const now = JSON.stringify(value)
  const typed = useRef(now)
  const kept = useRef(now)
  useLayoutEffect(() => {
    typed.current = now
  }, [now])
  const isChanged = () => typed.current !== kept.current
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged() && next.pathname !== current.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  const { status, proceed, reset } = blocker
  return {
    question: status === 'blocked' && (
      <Confirm
        title={words.title}
        action={words.leave}
        sends={false}
        onConfirm={() => Promise.resolve(proceed())}
        onClose={(isDone) => isDone !== true && reset()}
      >
        <p>{words.text}</p>
      </Confirm>
    ),
    saved: (next = value) => {
      kept.current = JSON.stringify(next)
    },
  }
}
