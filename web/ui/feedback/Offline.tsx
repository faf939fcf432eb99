import { useSyncExternalStore, type ReactNode } from 'react'
import { followOnline, isOnline } from '../../api/live/online.ts'
import { useMessages } from '../language.tsx'
import { Note } from './Note.tsx'

/** Whether the browser is online. */
export const useOnline = (): boolean => useSyncExternalStore(followOnline, isOnline)

/** Offline message, with further content. */
export function OfflineNote({ children }: { children?: ReactNode }) {
  const m = useMessages()
  return (
    <Note tone="warn" alert>
      {m.problems.offline}
      {children}
    </Note>
  )
}
