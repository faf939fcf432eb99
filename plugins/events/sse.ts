import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '../http/errors.ts'
import { takeSocket } from './stream-socket.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sse: StreamHub
  }
}

/** One message of a stream, as the bytes that all its receivers share. */
export interface Frame {
  /** No client gets two frames of one id while one of them may be a repeat; empty: never a repeat. */
  id: string
  bytes: Buffer
}

export interface StreamOwner {
  userId: string
  sessionId: string
  /** Of the access token, which the stream does not outlive; milliseconds since the epoch. */
  expiresAt: number
}

/** A client that listens, or is about to. */
export interface Stream {
  /**
   * Takes the reply over: sends its headers, then `first`, then what came in since the stream was opened
   * and is not in `first`, and goes on with what comes. Rejects with 400 when the connection still owes the
   * client another answer.
   */
  begin(reply: FastifyReply, first: readonly Frame[]): void
  /** Ends it, also one that never began. */
  end(reason: string): void
}

/** The open streams of server-sent events on this instance. */
export interface StreamHub {
  /** Keeps what is sent from now on; `ended` is called once, when the stream ends. */
  open(owner: StreamOwner, ended?: () => void): Stream
  /** Sends a frame to all streams of these users; to each stream in the order of the calls. */
  send(userIds: readonly string[], frame: Frame): void
  /** Ends those streams. */
  endWhere(which: (owner: StreamOwner) => boolean, reason: string): void
  owners(): StreamOwner[]
}

export interface StreamOptions {
  heartbeatSeconds?: number
  /** Bytes that may wait in our memory for one client. */
  maxUnsent?: number
}

const HEARTBEAT_SECONDS = 25
const MAX_UNSENT = 1024 * 1024
/** Streams that are written to at once; then other work has its turn. */
const SLICE = 500
/** A message that was read from a store may come in once more as news, but not later than that. */
const REPEAT_MS = 10_000
const HEARTBEAT: Frame = { id: '', bytes: Buffer.from(':\n\n') }

const notAlone = () => new AppError(400, 'validation_failed', 'Open the stream on a connection of its own')

/** Knows who listens and writes to them; what is written, and to whom, is others' business. */
export default fp<StreamOptions>(
  async (app, { heartbeatSeconds = HEARTBEAT_SECONDS, maxUnsent = MAX_UNSENT }) => {
    const streams = new Set<OpenStream>()
    const byUser = new Map<string, Set<OpenStream>>()
    const write = inTurn()
    const sockets = new WeakSet<Socket>()

    function forget(stream: OpenStream): void {
      streams.delete(stream)
      const own = byUser.get(stream.owner.userId)
      own?.delete(stream)
      if (own?.size === 0) byUser.delete(stream.owner.userId)
    }

    function endWhere(which: (owner: StreamOwner) => boolean, reason: string): void {
      for (const stream of streams) if (which(stream.owner)) stream.end(reason)
    }

    app.decorate('sse', {
      open(owner, ended) {
        const stream = new OpenStream(owner, { maxUnsent, sockets, forget, log: app.log }, ended)
        const own = byUser.get(owner.userId) ?? new Set()
        byUser.set(owner.userId, own.add(stream))
        streams.add(stream)
        return stream
      },
      send(userIds, frame) {
        const receivers = userIds.flatMap((userId) => [...(byUser.get(userId) ?? [])])
        if (receivers.length > 0) write(receivers, frame)
      },
      endWhere,
      owners: () => [...streams].map(({ owner }) => owner),
    } satisfies StreamHub)

    app.addHook('onRequest', (request, reply, done) => {
      if (!sockets.has(request.raw.socket)) return done()
      // Its answer would be written into the stream.
      reply.hijack()
      request.raw.socket.destroy()
    })
    app.events.on('session.ended', ({ sessionIds }) => {
      const ended = new Set(sessionIds)
      endWhere(({ sessionId }) => ended.has(sessionId), 'the session ended')
    })

    const heartbeat = setInterval(() => write([...streams], HEARTBEAT), heartbeatSeconds * 1000).unref()
    // preClose, not onClose: an open stream would keep the server from ever reaching onClose.
    app.addHook('preClose', async () => {
      clearInterval(heartbeat)
      endWhere(() => true, 'the service stops')
    })
  },
  { name: 'sse', dependencies: ['errors', 'events'] },
)

/**
 * Writes frames to many streams, a slice of them at a time. One frame after the other, so that no stream
 * gets a later one first: its client would name that as the last one it got, and miss the earlier.
 */
function inTurn() {
  const waiting: { receivers: OpenStream[]; frame: Frame; next: number }[] = []
  let busy = false

  function work(): void {
    let left = SLICE
    while (left > 0) {
      const [first] = waiting
      busy = first !== undefined
      if (!first) return
      const end = Math.min(first.receivers.length, first.next + left)
      left -= end - first.next
      for (const stream of first.receivers.slice(first.next, end)) stream.write(first.frame)
      first.next = end
      if (end === first.receivers.length) waiting.shift()
    }
    setImmediate(work)
  }

  return (receivers: OpenStream[], frame: Frame): void => {
    waiting.push({ receivers, frame, next: 0 })
    if (!busy) work()
  }
}

interface Surroundings {
  maxUnsent: number
  /** Those that carry a stream, and nothing else any more. */
  sockets: WeakSet<Socket>
  forget: (stream: OpenStream) => void
  log: FastifyBaseLogger
}

class OpenStream implements Stream {
  readonly owner: StreamOwner
  readonly #around: Surroundings
  readonly #onEnd: () => void
  readonly #openedAt = Date.now()
  readonly #expiry: NodeJS.Timeout
  #socket: Socket | null = null
  /** What came in before the stream began. */
  #held: Frame[] | null = []
  /** Ids that were sent at the beginning and may come in once more. */
  #sent: Set<string> | null = null
  #ended: string | null = null
  #requestId = ''

  constructor(owner: StreamOwner, around: Surroundings, onEnd = () => {}) {
    this.owner = owner
    this.#around = around
    this.#onEnd = onEnd
    const rest = Math.max(0, owner.expiresAt - this.#openedAt)
    this.#expiry = setTimeout(() => this.end('the access token expired'), rest).unref()
  }

  begin(reply: FastifyReply, first: readonly Frame[]): void {
    const socket = takeSocket(
      reply,
      first.map(({ bytes }) => bytes),
    )
    if (socket === null) {
      this.end('not begun')
      throw notAlone()
    }
    reply.request.log.info({ req: reply.request }, 'stream opened')
    this.#requestId = reply.request.id
    this.#around.sockets.add(socket)
    this.#socket = socket
    socket.once('close', () => this.end('the client went'))
    const ids = first.map(({ id }) => id).filter((id) => id !== '')
    if (ids.length > 0) this.#sent = new Set(ids)
    const held = this.#held ?? []
    this.#held = null
    for (const frame of held) this.write(frame)
    if (this.#ended !== null) this.#close()
    else if (socket.destroyed) this.end('the client went')
  }

  write(frame: Frame): void {
    if (this.#ended !== null) return
    if (this.#held !== null) {
      this.#held.push(frame)
      return
    }
    if (this.#sent !== null) {
      if (this.#sent.has(frame.id)) return
      if (Date.now() - this.#openedAt > REPEAT_MS) this.#sent = null
    }
    const socket = this.#socket as Socket
    if (socket.writableLength > this.#around.maxUnsent) this.end('the client reads too slowly')
    else socket.write(frame.bytes)
  }

  end(reason: string): void {
    if (this.#ended !== null) return
    this.#ended = reason
    clearTimeout(this.#expiry)
    this.#around.forget(this)
    this.#onEnd()
    this.#close()
  }

  #close(): void {
    if (this.#socket === null) return
    // To a client that doesn't read, what waits would wait for ever.
    if (this.#socket.writableLength > 0) this.#socket.destroy()
    else this.#socket.destroySoon()
    const seconds = Math.round((Date.now() - this.#openedAt) / 1000)
    this.#around.log.info({ reqId: this.#requestId, reason: this.#ended, seconds }, 'stream ended')
  }
}
