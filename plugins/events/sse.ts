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

/** One message of a stream, as bytes shared by all its recipients. */
export interface Frame {
  /** A client gets only one frame of an id while repeats are possible; empty: never a repeat. */
  id: string
  bytes: Buffer
}

export interface StreamOwner {
  userId: string
  /** Empty if a personal token opened it. */
  sessionId: string
  /** The personal token that opened it; null: an access token. */
  tokenId: string | null
  /** Expiry of the token, when the stream ends; milliseconds since 1970; null: never. */
  expiresAt: number | null
}

/** The stream of one client, open or about to be. */
export interface Stream {
  /**
   * Takes over the reply: sends the headers, `first`, frames since the stream was opened that are not in `first`, and
   * then each new frame. Throws 400 when the connection owes the client another response.
   */
  begin(reply: FastifyReply, first: readonly Frame[]): void
  /** Ends the stream, even if it never began. */
  end(reason: string): void
}

/** The open streams of server-sent events on this instance. */
export interface StreamHub {
  /** Keeps frames sent from now on; `ended` is called once, when the stream ends. */
  open(owner: StreamOwner, ended?: () => void): Stream
  /** Sends a frame to all streams of these users. Each stream gets its frames in the order of the calls. */
  send(userIds: readonly string[], frame: Frame): void
  endWhere(which: (owner: StreamOwner) => boolean, reason: string): void
  owners(): StreamOwner[]
}

export interface StreamOptions {
  heartbeatSeconds?: number
  /** Bytes that may be buffered for one client. */
  maxUnsent?: number
}

const HEARTBEAT_SECONDS = 25
const MAX_UNSENT = 1024 * 1024
/** Streams written to before other work gets a turn. */
const SLICE = 500
/** How long a stored message sent at the beginning can also arrive as a new one. */
const REPEAT_MS = 10_000
/** Longest delay of a timer; see https://nodejs.org/api/timers.html. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const HEARTBEAT: Frame = { id: '', bytes: Buffer.from(':\n\n') }

const notAlone = () => new AppError(400, 'validation_failed', 'Use a separate connection for the stream')

/** Holds the open streams and writes to them; others decide what to write to whom. */
export default fp<StreamOptions>(
  async (app, { heartbeatSeconds = HEARTBEAT_SECONDS, maxUnsent = MAX_UNSENT }) => {
    const streams = new Set<OpenStream>()
    const byUser = new Map<string, Set<OpenStream>>()
    const write = inSlices()
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
      // The response would be written into the stream.
      reply.hijack()
      request.raw.socket.destroy()
    })
    app.events.on('session.ended', ({ sessionIds }) => {
      const ended = new Set(sessionIds)
      endWhere(({ sessionId }) => ended.has(sessionId), 'session ended')
    })
    app.events.on('token.revoked', (revoked) => {
      endWhere(({ tokenId }) => tokenId === revoked.tokenId, 'token revoked')
    })

    const heartbeat = setInterval(() => write([...streams], HEARTBEAT), heartbeatSeconds * 1000).unref()
    // preClose, not onClose: an open stream would keep the server from ever reaching onClose.
    app.addHook('preClose', async () => {
      clearInterval(heartbeat)
      endWhere(() => true, 'service stopping')
    })
  },
  { name: 'sse', dependencies: ['errors', 'events'] },
)

/**
 * Returns a function that writes a frame to many streams, a slice of them at a time. A frame goes to all streams before
 * the next one: a client that got a later frame first would name that as its last, and miss the earlier one.
 */
function inSlices() {
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

interface StreamContext {
  maxUnsent: number
  /** Sockets that carry a stream. */
  sockets: WeakSet<Socket>
  forget: (stream: OpenStream) => void
  log: FastifyBaseLogger
}

class OpenStream implements Stream {
  readonly owner: StreamOwner
  readonly #context: StreamContext
  readonly #onEnd: () => void
  readonly #openedAt = Date.now()
  readonly #expiry: NodeJS.Timeout
  #socket: Socket | null = null
  /** Frames sent before the stream began. */
  #held: Frame[] | null = []
  /** Ids sent at the beginning, which may arrive once more. */
  #sent: Set<string> | null = null
  #ended: string | null = null
  #requestId = ''

  constructor(owner: StreamOwner, context: StreamContext, onEnd = () => {}) {
    this.owner = owner
    this.#context = context
    this.#onEnd = onEnd
    const rest = Math.max(0, (owner.expiresAt ?? Infinity) - this.#openedAt)
    // A longer timer would fire at once; its client opens a new stream.
    this.#expiry = setTimeout(() => this.end('token expired'), Math.min(rest, LONGEST_TIMER_MS)).unref()
  }

  begin(reply: FastifyReply, first: readonly Frame[]): void {
    const socket = takeSocket(
      reply,
      first.map(({ bytes }) => bytes),
    )
    if (socket === null) {
      this.end('never begun')
      throw notAlone()
    }
    reply.request.log.info({ req: reply.request }, 'stream opened')
    this.#requestId = reply.request.id
    this.#context.sockets.add(socket)
    this.#socket = socket
    socket.once('close', () => this.end('client closed the connection'))
    const ids = first.map(({ id }) => id).filter((id) => id !== '')
    if (ids.length > 0) this.#sent = new Set(ids)
    const held = this.#held ?? []
    this.#held = null
    for (const frame of held) this.write(frame)
    if (this.#ended !== null) this.#close()
    else if (socket.destroyed) this.end('client closed the connection')
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
    if (socket.writableLength > this.#context.maxUnsent) this.end('client too slow')
    else socket.write(frame.bytes)
  }

  end(reason: string): void {
    if (this.#ended !== null) return
    this.#ended = reason
    clearTimeout(this.#expiry)
    this.#context.forget(this)
    this.#onEnd()
    this.#close()
  }

  #close(): void {
    if (this.#socket === null) return
    // A client that doesn't read would never get the rest.
    if (this.#socket.writableLength > 0) this.#socket.destroy()
    else this.#socket.destroySoon()
    const seconds = Math.round((Date.now() - this.#openedAt) / 1000)
    this.#context.log.info({ reqId: this.#requestId, reason: this.#ended, seconds }, 'stream ended')
  }
}
