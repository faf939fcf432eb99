/** Internal events between the parts and instances of the service. Events for people are in event-catalogue.ts. */
export interface Events {
  /** Events of other instances may have been missed: caches that depend on them are stale. */
  'events.missed': Record<string, never>
  /** Sessions ended; drops their cached sign-ins. */
  'session.ended': { sessionIds: string[] }
  /** Role, state or name of a user changed, or the user was deleted. */
  'user.changed': { userId: string }
  'token.revoked': { tokenId: string }
  /** The outbox has new events. */
  'outbox.filled': Record<string, never>
  /** Notifications were stored; open streams send them. */
  'notifications.added': Record<string, never>
  /** New channel deliveries are due. */
  'deliveries.added': Record<string, never>
  /** New emails are due. */
  'mails.added': Record<string, never>
  /** A provider asked to pause calls through a connection. */
  'provider.paused': { accountId: string; calls: string; milliseconds: number }
  /** Reads and writes of one instance since its last report, by connection. */
  'provider.called': { instance: string; calls: [accountId: string, reads: number, writes: number][] }
  /** Health checks of domains are due. */
  'health.due': Record<string, never>
  /** A failover monitor was set up, changed or removed. */
  'failover.changed': { monitorId: string }
  /** New operations are due. */
  'operations.added': Record<string, never>
}

export type EventName = keyof Events

/** Returns the bus message of an event, for `notify` of plugins/events. */
export const signalOf = <N extends EventName>(
  name: N,
  ...payload: Record<string, never> extends Events[N] ? [] : [Events[N]]
): string => JSON.stringify({ name, payload: payload[0] ?? {} })
