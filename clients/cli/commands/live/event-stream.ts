import { setTimeout as sleep } from 'node:timers/promises'
import type { Schemas } from '../../../typescript/index.ts'
import { errorOf } from '../../../typescript/problem.ts'
import type { Login } from '../../settings.ts'

export type LiveEvent = Schemas['Notification']

interface Options extends Login {
  /** Id of the last event that was received; null: only new ones. */
  since: string | null
  /** Called when the stream ended and is opened again after so many milliseconds. */
  onBreak: (milliseconds: number) => void
}

const PATH = '/api/v1/notifications/stream'
const LONGEST_PAUSE_MS = 30_000
/** The service sends something at least every 25 seconds; silence for longer means a dead connection. */
const SILENCE_MS = 60_000

/**
 * Iterates over the events of the token's user, without end: a stream that breaks is opened again, and what happened in between
 * follows. Rejects with ZonekeeperError if the service refuses the stream.
 */
export async function* liveEvents({ url, token, since, onBreak }: Options): AsyncGenerator<LiveEvent> {
  let last = since
  let retry = 1_000
  let failures = 0
  let isKnown = false
  for (;;) {
    try {
      for await (const message of readStream(url, token, last)) {
        failures = 0
        isKnown = true
        retry = message.retry ?? retry
        last = message.id ?? last
        const event = message.data === '' ? null : (JSON.parse(message.data) as LiveEvent)
        if (event && event.event !== 'connected') yield event
      }
    } catch (error) {
      // Before anything came, the URL may be wrong; later, the service restarts.
      if (!isBreak(error) || !isKnown) throw error
    }
    const pause = Math.min(retry * 2 ** failures, LONGEST_PAUSE_MS)
    failures++
    onBreak(pause)
    await sleep(pause)
  }
}

/** Whether a failure is one of the connection, or of a busy service. */
const isBreak = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  BUSY.has((error as { status?: number }).status ?? 0)

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504])

interface Message {
  id: string | null
  retry: number | null
  data: string
}

async function* readStream(url: string, token: string, last: string | null): AsyncGenerator<Message> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new DOMException('No heartbeat', 'TimeoutError')), SILENCE_MS)
  try {
    const answer = await fetch(url + PATH, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'zonekeeper-client': 'cli',
        ...(last !== null && { 'last-event-id': last }),
      },
      redirect: 'error',
      signal: silence.signal,
    })
    if (!answer.ok || !answer.body) throw await errorOf(answer)
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of answer.body) {
      timer.refresh()
      const blocks = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      yield* blocks.map(parse)
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** Reads one message of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
function parse(block: string): Message {
  const message: Message = { id: null, retry: null, data: '' }
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
    if (field === 'id') message.id = value
    else if (field === 'retry') message.retry = Number(value)
    else if (field === 'data') message.data += value
  }
  return message
}
