import { useSyncExternalStore, type ReactNode } from 'react'
import { followOnline, isOnline } from '../../api/online.ts'
import { useMessages } from '../language.tsx'
import { Note } from './Note.tsx'

/** Whether the browser has a network: without one nothing can be saved. */
export const useOnline = (): boolean => useSyncExternalStore(followOnline, isOnline)

/** Says that one is offline, and what else there is to say of it. */
export function OfflineNote({ children }: { children?: ReactNode }) {
  const m = useMessages()
  return (
    <Note tone="warn" alert>
      {m.problems.offline}
      {children}
    </Note>
  )
}
