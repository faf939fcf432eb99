import { useSyncExternalStore } from 'react'
import { followOnline, followShown, isOnline, shownSince } from '../api/online.ts'
import { useFormats, useMessages } from './language.tsx'
import { Note } from './Note.tsx'

/** Whether the browser has a network: without one nothing can be saved. */
export const useOnline = (): boolean => useSyncExternalStore(followOnline, isOnline)

/** Says that one is offline, and of when what is shown is. */
export function OfflineNote() {
  const m = useMessages()
  const { moment } = useFormats()
  const since = useSyncExternalStore(followShown, shownSince)
  return (
    <Note tone="warn" alert>
      {m.problems.offline}
      {since !== null && <div>{m.problems.shownAsOf(moment(new Date(since).toISOString()))}</div>}
    </Note>
  )
}
