import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import type { Tried } from '../model.ts'
import type { Staged } from './staged.ts'

type ChangeItem = Schemas['Change']['items'][number]

/** A change with the outcome of each record. */
export const changeOf = (id: string, changeId: string) =>
  api.GET('/api/domains/{id}/changes/{changeId}', { path: { id, changeId } })

/** What an item without success leaves at its edit. */
export const triedOf = (changeId: string, { outcome, recordId, error }: ChangeItem): Tried => ({
  state: outcome === 'pending' ? 'pending' : 'failed',
  changeId,
  recordId,
  reason: error,
})

/** Polling interval for pending outcomes, in milliseconds. */
const LOOK_MS = 2000

/** Polls pending edits until their outcome is known. */
export function useSettling(domainId: string, staged: Staged): void {
  useSyncExternalStore(staged.subscribe, staged.version)
  const open = [...new Set(staged.pending.map(([, { tried }]) => tried.changeId))].join(' ')
  useEffect(() => {
    if (open === '') return
    const look = async (changeId: string) => {
      const { settledAt, items } = await changeOf(domainId, changeId)
      if (settledAt === null) return
      const byRecord = new Map(items.map((item) => [item.recordId, item]))
      const own = staged.pending.filter(([, { tried }]) => tried.changeId === changeId)
      const isDone = (recordId: string) => byRecord.get(recordId)?.outcome === 'applied'
      const done = own.filter(([, { tried }]) => isDone(tried.recordId))
      staged.settle(
        done.map(([id]) => id),
        done.map(([, { tried }]) => tried.recordId),
        own.flatMap(([id, { tried }]) => {
          const item = byRecord.get(tried.recordId)
          return item && !isDone(tried.recordId) ? [[id, triedOf(changeId, item)] as const] : []
        }),
      )
      changed('record', domainId)
    }
    const timer = setInterval(() => {
      // No answer: try again.
      for (const changeId of open.split(' ')) look(changeId).catch(() => undefined)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [domainId, staged, open])
}
