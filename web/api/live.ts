import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { accessToken, anotherToken } from './session.ts'
import { Signal } from './signal.ts'
import { followStream, type StreamMessage } from './stream.ts'

/** Whether what others do is told at once. */
export const streamState = new Signal<'live' | 'waiting' | 'off'>('waiting')

const of = (message: StreamMessage): string | undefined =>
  (message['metadata'] as { domainId?: string } | undefined)?.domainId

/** What must be asked again after an event of an area. */
const CONCERNED: Record<string, (domainId: string | undefined) => QueryKey[]> = {
  record: (id) => [
    ['records', id],
    ['changes', id],
    ['domain', id],
    // Their counts of records.
    ['domains'],
  ],
  domain: (id) => [['domain', id], ['domains'], ['dashboard'], ['transfers']],
  operation: (id) => [['operations'], ['records', id], ['changes', id], ['domain', id]],
  assignment: () => [['assignments'], ['requests'], ['domains']],
  account: () => [['account']],
  channel: () => [['channels']],
  provider: () => [['providers']],
  template: () => [['templates']],
  user: () => [['users']],
  invitation: () => [['invitations']],
  'sign-in-provider': () => [['sign-in-providers']],
}

/** Zones that somebody else has changed since they were read: what is seen of them is not replaced under the cursor. */
export const outdatedZones = new Signal<ReadonlySet<string>>(new Set())

function markOutdated(domainId: string, isOutdated: boolean): void {
  const next = new Set(outdatedZones.get())
  if (isOutdated) next.add(domainId)
  else next.delete(domainId)
  outdatedZones.set(next)
}

/** Reads the zone as others have made it. */
export async function readZoneAgain(domainId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['records', domainId] })
  markOutdated(domainId, false)
}

/** Asks again for what is seen and concerned by changes in an area (`record`, `domain` …). */
export function refresh(area: string, domainId?: string): void {
  for (const key of CONCERNED[area]?.(domainId) ?? []) {
    void queryClient.invalidateQueries({ queryKey: key.filter((part) => part !== undefined) })
  }
}

/** What this tab did is told to the others, as the stream is silent about one's own acts. */
const tabs = new BroadcastChannel('zonekeeper-changes')
tabs.addEventListener('message', ({ data }: MessageEvent<{ area: string; domainId?: string }>) =>
  refresh(data.area, data.domainId),
)

/** To be called after a write: what it concerns is asked again, here and in other tabs. */
export function changed(area: string, domainId?: string): void {
  refresh(area, domainId)
  if (domainId !== undefined) markOutdated(domainId, false)
  tabs.postMessage({ area, ...(domainId !== undefined && { domainId }) })
}

/** Whether the zone was read when it was not yet as it is now. */
function isOlder(domainId: string): boolean {
  const domain = queryClient.getQueryData<{ recordsVersion: number }>(['domain', domainId])
  const loaded = queryClient.getQueryData<{ version: number }>(['records', domainId])
  return loaded?.version !== domain?.recordsVersion
}

/**
 * Somebody changed records. What others did waits until somebody wants to see it; one's own acts are told, too: of what
 * this page did it has asked for all already.
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
