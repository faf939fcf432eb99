import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'
import { accessToken, anotherToken } from '../session/session.ts'
import { Signal } from './signal.ts'
import { followStream, type StreamMessage } from './stream.ts'

/** Whether changes by others arrive immediately. */
export const streamState = new Signal<'live' | 'waiting' | 'off'>('waiting')

const of = (message: StreamMessage): string | undefined =>
  (message['metadata'] as { domainId?: string } | undefined)?.domainId

/** Queries to refresh after an event of an area. */
const CONCERNED: Record<string, (domainId: string | undefined) => QueryKey[]> = {
  record: (id) => [
    ['records', id],
    ['changes', id],
    ['domain', id],
    // Domains show record counts.
    ['domains'],
  ],
  domain: (id) => [['domain', id], ['domains'], ['dashboard'], ['transfers'], ['health'], ['mirrors', id]],
  failover: (id) => [['failover'], ['changes', id], ['records', id]],
  health: () => [['health', 'list']],
  operation: (id) => [['operations'], ['records', id], ['changes', id], ['domain', id]],
  assignment: () => [['assignments'], ['requests'], ['domains'], ['change-requests'], ['waiting']],
  change: (id) => [['changes', id]],
  change_request: (id) => [['change-requests'], ['waiting'], ['changes', id]],
  account: () => [['account']],
  channel: () => [['channels']],
  provider: () => [['providers']],
  template: () => [['templates']],
  user: () => [['users']],
  invitation: () => [['invitations']],
  'sign-in-provider': () => [['sign-in-providers']],
}

/** Zones changed by others since they were loaded; shown rows are not replaced under the cursor. */
export const outdatedZones = new Signal<ReadonlySet<string>>(new Set())

function markOutdated(domainId: string, isOutdated: boolean): void {
  const next = new Set(outdatedZones.get())
  if (isOutdated) next.add(domainId)
  else next.delete(domainId)
  outdatedZones.set(next)
}

/** Reloads a zone that others have changed. */
export async function readZoneAgain(domainId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['records', domainId] })
  markOutdated(domainId, false)
}

/** Refreshes visible queries affected by changes in an area (`record`, `domain` …). */
export function refresh(area: string, domainId?: string): void {
  for (const key of CONCERNED[area]?.(domainId) ?? []) {
    void queryClient.invalidateQueries({ queryKey: key.filter((part) => part !== undefined) })
  }
}

/** Tells other tabs about writes of this one; the stream skips the user's own changes. */
const tabs = new BroadcastChannel('zonekeeper-changes')
tabs.addEventListener('message', ({ data }: MessageEvent<{ area: string; domainId?: string }>) =>
  refresh(data.area, data.domainId),
)

/** Call after a write: refreshes what it affects, here and in other tabs. */
export function changed(area: string, domainId?: string): void {
  refresh(area, domainId)
  if (domainId !== undefined) markOutdated(domainId, false)
  tabs.postMessage({ area, ...(domainId !== undefined && { domainId }) })
}

/** Whether the cached zone is older than this version. */
function isOlder(domainId: string): boolean {
  const domain = queryClient.getQueryData<{ recordsVersion: number }>(['domain', domainId])
  const loaded = queryClient.getQueryData<{ version: number }>(['records', domainId])
  return loaded?.version !== domain?.recordsVersion
}

/**
 * Handles changed records. Changes by others wait until the user asks for them; this page has already refreshed after
 * its own.
 */
async function told(domainId: string, isOwn: boolean): Promise<void> {
  const queryKey = ['records', domainId]
  const isSeen = queryClient.getQueryCache().find({ queryKey })?.isActive() === true
  if (isSeen && !isOwn) markOutdated(domainId, true)
  void queryClient.invalidateQueries({ queryKey: ['changes', domainId] })
  await queryClient.invalidateQueries({ queryKey: ['domain', domainId] })
  if (!isSeen || (isOwn && isOlder(domainId)))
    await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** Follows the event stream until the signal aborts. */
export function followEvents(signal: AbortSignal): void {
  followStream({
    token: (refused) => (refused === null ? accessToken() : anotherToken(refused)),
    onMessage(message) {
      if (message.event === 'connected') return
      const domainId = of(message)
      const area = message.event.split('.')[0] ?? ''
      if (area === 'record' && domainId !== undefined) void told(domainId, message['read'] === true)
      else refresh(area, domainId)
      void queryClient.invalidateQueries({ queryKey: ['notifications'] })
    },
    onState: streamState.set,
    signal,
  })
}
