import { useBlocker } from '@tanstack/react-router'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Confirm } from './Dialog.tsx'
import { useMessages } from '../language.tsx'

interface LeaveGuard {
  /** Shown while it asks. */
  question: ReactNode
  /** What was typed is kept now; `value` where the form goes on with another. */
  saved: (value?: unknown) => void
}

/** Asks before a view is left in which something was typed and not saved. `value`: all that the form holds, as JSON has it. */
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
