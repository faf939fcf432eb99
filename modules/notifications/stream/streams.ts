import { v7 as uuidv7, validate as isUuid, version as versionOf } from 'uuid'
import { findLackingFactor } from '../../../plugins/security/access/index.ts'
import { AppError, forbidden } from '../../../plugins/http/errors.ts'
import type { Frame, Stream, StreamOwner } from '../../../plugins/events/sse.ts'
import type { NotificationContext } from '../context.ts'
import { toNotification, type Message } from '../message.ts'
import { findSessions } from '../queries.ts'
import { lastPosition, listEntries, notificationsAfter, type Entry } from '../store-queries.ts'

/** What a client names that has got nothing yet: everything comes after it. */
const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** When a client may come back after the end of a stream; spread, since a stop ends all at once. */
const RETRY_MS = { from: 1_000, to: 5_000 }

const sessionOver = () => new AppError(401, 'unauthenticated', 'This session has ended; sign in again')
const switchedOff = () => forbidden('Notifications are turned off in your profile')

/** A message on the wire. */
const toFrame = (message: Message, read: boolean): Frame => ({
  id: message.id,
  bytes: Buffer.from(`id: ${message.id}\ndata: ${JSON.stringify(toNotification(message, read))}\n\n`),
})

/** Messages that are read at a time, with those of this instance's users who got them. */
const FEED = 200

/**
 * Sends to the open streams of this instance what their users were given since the last call: each message
 * once and in order, whatever signal was lost.
 */
export function createStreamFeed({ db, sse }: Pick<NotificationContext, 'db' | 'sse'>): () => Promise<void> {
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
 * Opens a stream, and answers with what it begins: `connected`, and what was missed since `lastEventId`.
 * Rejects with 429 when the user has too many, 403 when notifications are turned off.
 */
export async function openStream(
  { db, sse, slots }: NotificationContext,
  owner: StreamOwner,
  lastEventId: string | undefined,
): Promise<{ stream: Stream; first: Frame[] }> {
  const giveBack = await slots.take(owner.userId)
  // Before the rest is looked up, so that it hears what happens meanwhile.
  const stream = sse.open(owner, giveBack)
  try {
    const [session] = await findSessions(db, [owner.sessionId])
    if (!session) throw sessionOver()
    if (!session.inApp) throw switchedOff()
    const entries = await listEntries(db, owner.userId)
    const anchor = lastEventId !== undefined && isUuid(lastEventId) ? lastEventId.toLowerCase() : null
    const missed = anchor === null ? [] : since(entries, anchor)
    const first = missed.map((entry) => toFrame(entry, entry.read))
    // What a client names that is cut off before it got any of these must lead to these again.
    const at = anchor ?? entries.at(-1)?.id ?? BEGINNING
    return { stream, first: [connected(at), ...first] }
  } catch (error) {
    stream.end('refused')
    // Who is refused may ask again at once, and must find the place free.
    await slots.released()
    throw error
  }
}

function connected(at: string): Frame {
  const json = JSON.stringify({
    event: 'connected',
    id: uuidv7(),
    title: 'Connected',
    content: 'Notifications arrive here as they happen.',
    level: 'info',
    read: true,
    createdAt: new Date().toISOString(),
    metadata: {},
  })
  const retry = Math.round(RETRY_MS.from + Math.random() * (RETRY_MS.to - RETRY_MS.from))
  return { id: '', bytes: Buffer.from(`retry: ${retry}\nid: ${at}\ndata: ${json}\n\n`) }
}

/** What came after that message. One that is not in the list any more tells by its own time. */
function since(entries: Entry[], anchor: string): Entry[] {
  const known = entries.findIndex(({ id }) => id === anchor)
  if (known >= 0) return entries.slice(known + 1)
  const time = versionOf(anchor) === 7 ? parseInt(anchor.replace('-', '').slice(0, 12), 16) : 0
  return entries.filter(({ at }) => at.getTime() >= Math.min(time, Date.now()))
}

/** Ends the streams of those who may not listen any more: of one user, or all. */
export async function endForbiddenStreams(
  { db, sse, installation }: NotificationContext,
  userId?: string,
): Promise<void> {
  const owners = sse.owners().filter((owner) => userId === undefined || owner.userId === userId)
  const asked = new Set(owners.map(({ sessionId }) => sessionId))
  if (asked.size === 0) return
  const userIds = [...new Set(owners.map((owner) => owner.userId))]
  const living = await findSessions(db, [...asked])
  const lacking = await findLackingFactor(db, installation.requireSecondFactor, userIds)
  const allowed = new Set(living.filter(({ inApp }) => inApp).map(({ id }) => id))
  sse.endWhere(
    (owner) => asked.has(owner.sessionId) && (!allowed.has(owner.sessionId) || lacking.has(owner.userId)),
    'the user may not listen any more',
  )
}
