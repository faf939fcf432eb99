import type { Kysely } from 'kysely'
import { v7 as uuidv7, validate as isUuid, version as versionOf } from 'uuid'
import { findLackingFactor } from '../../../plugins/security/access/index.ts'
import { AppError, forbidden } from '../../../plugins/http/errors.ts'
import type { Frame, Stream, StreamHub, StreamOwner } from '../../../plugins/events/sse.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { Installation } from '../../../plugins/installation.ts'
import type { StreamSlots } from './stream-slots.ts'
import { toNotification, type Message } from '../message.ts'
import { findSessions, findTokens } from '../queries.ts'
import { lastPosition, listEntries, notificationsAfter, type Entry } from '../store-queries.ts'

/** What streams need of the app. */
export interface StreamContext {
  db: Kysely<Database>
  sse: StreamHub
  slots: StreamSlots
  installation: Installation
}

/** `Last-Event-ID` of a client that has got nothing yet: everything follows. */
const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** Reconnect delay after the end of a stream; random, since a stop ends all at once. */
const RETRY_MS = { from: 1_000, to: 5_000 }

const accessOver = () =>
  new AppError(401, 'unauthenticated', 'This session or token has ended; sign in again, or use another token')
const switchedOff = () =>
  forbidden('Notifications are turned off in your profile; turn them on to open a stream')

/** A notification on the wire. */
const toFrame = (message: Message, read: boolean): Frame => ({
  id: message.id,
  bytes: Buffer.from(`id: ${message.id}\ndata: ${JSON.stringify(toNotification(message, read))}\n\n`),
})

/** Notifications read at a time. */
const FEED = 200

/**
 * Sends the open streams of this instance what their users got since the last call, each notification once and in
 * order, even if signals were missed.
 */
export function createStreamFeed({ db, sse }: Pick<StreamContext, 'db' | 'sse'>): () => Promise<void> {
  let position: string | null = null
  let running: Promise<void> | null = null
  let again = false

  async function sendSome(): Promise<boolean> {
    position ??= await lastPosition(db)
    const userIds = [...new Set(sse.owners().map(({ userId }) => userId))]
    const messages = await notificationsAfter(db, position, userIds, FEED)
    for (const message of messages) {
      if (message.unread.length > 0) sse.send(message.unread, toFrame(message, false))
      if (message.seen.length > 0) sse.send(message.seen, toFrame(message, true))
      position = message.position
    }
    return messages.length === FEED
  }

  async function run(): Promise<void> {
    do {
      again = false
      while (await sendSome());
    } while (again)
  }

  return () => {
    again = true
    running ??= run().finally(() => (running = null))
    return running
  }
}

/**
 * Opens a stream and returns its beginning: `connected`, and the notifications since `lastEventId`. Rejects with
 * 429 if the user has too many streams, 403 if notifications are turned off.
 */
export async function openStream(
  context: StreamContext,
  owner: StreamOwner,
  lastEventId: string | undefined,
): Promise<{ stream: Stream; first: Frame[] }> {
  const { db, sse, slots } = context
  const giveBack = await slots.take(owner.userId)
  // Opened first, so that it gets what happens during the queries.
  const stream = sse.open(owner, giveBack)
  try {
    const inApp = (await findAccess(context, [owner])).get(keyOf(owner))
    if (inApp === undefined) throw accessOver()
    if (!inApp) throw switchedOff()
    const entries = await listEntries(db, owner.userId)
    const anchor = lastEventId !== undefined && isUuid(lastEventId) ? lastEventId.toLowerCase() : null
    const missed = anchor === null ? [] : since(entries, anchor)
    const first = missed.map((entry) => toFrame(entry, entry.read))
    // A client that is cut off before it got these must be sent them again.
    const at = anchor ?? entries.at(-1)?.id ?? BEGINNING
    return { stream, first: [connected(at), ...first] }
  } catch (error) {
    stream.end('refused')
    // A refused client may retry at once and must find the slot free.
    await slots.released()
    throw error
  }
}

function connected(at: string): Frame {
  const json = JSON.stringify({
    event: 'connected',
    id: uuidv7(),
    title: 'Connected',
    content: 'Notifications will appear here.',
    level: 'info',
    read: true,
    createdAt: new Date().toISOString(),
    metadata: {},
  })
  const retry = Math.round(RETRY_MS.from + Math.random() * (RETRY_MS.to - RETRY_MS.from))
  return { id: '', bytes: Buffer.from(`retry: ${retry}\nid: ${at}\ndata: ${json}\n\n`) }
}

/** Notifications after that message. One no longer in the list tells by its own time. */
function since(entries: Entry[], anchor: string): Entry[] {
  const known = entries.findIndex(({ id }) => id === anchor)
  if (known >= 0) return entries.slice(known + 1)
  const time = versionOf(anchor) === 7 ? parseInt(anchor.replace('-', '').slice(0, 12), 16) : 0
  return entries.filter(({ at }) => at.getTime() >= Math.min(time, Date.now()))
}

/** Ends the streams that are no longer allowed, of one user or of all. */
export async function endForbiddenStreams(context: StreamContext, userId?: string): Promise<void> {
  const { db, sse, installation } = context
  const owners = sse.owners().filter((owner) => userId === undefined || owner.userId === userId)
  const asked = new Set(owners.map(keyOf))
  if (asked.size === 0) return
  const userIds = [...new Set(owners.map((owner) => owner.userId))]
  const access = await findAccess(context, owners)
  const lacking = await findLackingFactor(db, installation.requireSecondFactor, userIds)
  sse.endWhere(
    (owner) => asked.has(keyOf(owner)) && (access.get(keyOf(owner)) !== true || lacking.has(owner.userId)),
    'no longer allowed',
  )
}

/** The id of the session or personal token. */
const keyOf = ({ sessionId, tokenId }: StreamOwner): string => tokenId ?? sessionId

/** The valid sessions and tokens, and whether their users have notifications enabled. */
async function findAccess(
  { db, installation }: StreamContext,
  owners: readonly StreamOwner[],
): Promise<ReadonlyMap<string, boolean>> {
  const sessionIds = new Set(owners.filter(({ tokenId }) => tokenId === null).map(keyOf))
  const tokenIds = new Set(owners.filter(({ tokenId }) => tokenId !== null).map(keyOf))
  const rows = [
    ...(sessionIds.size === 0 ? [] : await findSessions(db, [...sessionIds])),
    ...(tokenIds.size === 0 ? [] : await findTokens(db, [...tokenIds], installation.maxTokenDays)),
  ]
  return new Map(rows.map(({ id, inApp }) => [id, inApp]))
}
