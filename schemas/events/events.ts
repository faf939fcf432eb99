/**
 * What the parts of the service, on all instances, tell each other; payloads are plain data. What people and
 * channels are told is in event-catalogue.
 */
export interface Events {
  /** Messages of other instances may have been missed: what was remembered because of them is worth nothing. */
  'events.missed': Record<string, never>
  /** A session ended, or all of a user's but one: cached sign-ins are dropped. */
  'session.ended': { sessionIds: string[] }
  /** Role, state or name of a user changed, or the user is gone. */
  'user.changed': { userId: string }
  'token.revoked': { tokenId: string }
  /** Something was stored that is to be told. */
  'outbox.filled': Record<string, never>
  /** Messages were stored for users: their open streams are sent them. */
  'notifications.added': Record<string, never>
  /** Messages wait to be delivered by channels. */
  'deliveries.added': Record<string, never>
  /** E-mails wait to be sent. */
  'mails.added': Record<string, never>
  /** A provider wants no calls of an account for so long. */
  'provider.paused': { accountId: string; milliseconds: number }
  /** Calls that one instance made of accounts, since it last told: reads and writes by account. */
  'provider.called': { instance: string; calls: [accountId: string, reads: number, writes: number][] }
  /** Large changes wait to be done. */
  'operations.added': Record<string, never>
}

export type EventName = keyof Events

/** The bus's message for an event, for `notify` of plugins/events. */
export const signalOf = <N extends EventName>(
  name: N,
  ...payload: Record<string, never> extends Events[N] ? [] : [Events[N]]
): string => JSON.stringify({ name, payload: payload[0] ?? {} })
