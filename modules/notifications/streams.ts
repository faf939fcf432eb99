import { v7 as uuidv7, validate as isUuid, version as versionOf } from 'uuid'
import { AppError, forbidden } from '../../plugins/errors.ts'
import type { Frame, Stream, StreamOwner } from '../../plugins/sse.ts'
import type { NotificationContext } from './context.ts'
import { toNotification } from './message.ts'
import { findSessions } from './queries.ts'
import { microseconds, type Entry } from './store/contract.ts'

/** What a client names that has got nothing yet: everything comes after it. */
const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** When a client may come back after the end of a stream; spread, since a stop ends all at once. */
const RETRY_MS = { from: 1_000, to: 5_000 }

const sessionOver = () => new AppError(401, 'unauthenticated', 'This session has ended; sign in again')
const switchedOff = () => forbidden('Notifications are turned off in your profile')

/** A message on the wire, as the JSON text that it is. */
export const frameOf = (id: string, json: string): Frame => ({
  id,
  bytes: Buffer.from(`id: ${id}\ndata: ${json}\n\n`),
})

/**
 * Opens a stream, and answers with what it begins: `connected`, and what was missed since `lastEventId`.
 * Rejects with 429 when the user has too many, 403 when notifications are turned off.
 */
export async function openStream(
  { db, sse, store }: NotificationContext,
  owner: StreamOwner,
  lastEventId: string | undefined,
): Promise<{ stream: Stream; first: Frame[] }> {
  // First, so that it hears what happens while the rest is looked up.
  const stream = sse.open(owner)
  try {
    const [session] = await findSessions(db, [owner.sessionId])
    if (!session) throw sessionOver()
    if (!session.inApp) throw switchedOff()
    const entries = await store.list(owner.userId)
    const anchor = lastEventId !== undefined && isUuid(lastEventId) ? lastEventId.toLowerCase() : null
    const missed = anchor === null ? [] : since(entries, anchor)
    const first = missed.map((entry) => frameOf(entry.message.id, JSON.stringify(toNotification(entry))))
    // What a client names that is cut off before it got any of these must lead to these again.
    const at = anchor ?? entries.at(-1)?.message.id ?? BEGINNING
    return { stream, first: [connected(at), ...first] }
  } catch (error) {
    stream.end('refused')
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
  const known = entries.find(({ message }) => message.id === anchor)
  if (known) return entries.filter(({ position }) => position > known.position)
  const time = versionOf(anchor) === 7 ? parseInt(anchor.replace('-', '').slice(0, 12), 16) * 1000 : 0
  return entries.filter(({ position }) => position >= Math.min(time, microseconds()))
}

/** Ends the streams of those who may not listen any more: of one user, or all. */
export async function endForbiddenStreams({ db, sse }: NotificationContext, userId?: string): Promise<void> {
  const owners = sse.owners().filter((owner) => userId === undefined || owner.userId === userId)
  const asked = new Set(owners.map(({ sessionId }) => sessionId))
  if (asked.size === 0) return
  const living = await findSessions(db, [...asked])
  const allowed = new Set(living.filter(({ inApp }) => inApp).map(({ id }) => id))
  sse.endWhere(
    ({ sessionId }) => asked.has(sessionId) && !allowed.has(sessionId),
    'the user may not listen any more',
  )
}
