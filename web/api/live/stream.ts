/** A message of the event stream; `connected` is the first of each connection. */
export interface StreamMessage {
  id: string
  event: string
  [field: string]: unknown
}

interface Options {
  /**
   * Returns a valid access token other than the refused one, waiting for one if needed. Null when signed out.
   */
  token: (refused: string | null) => Promise<string | null>
  onMessage: (message: StreamMessage) => void
  onState: (state: 'live' | 'waiting' | 'off') => void
  signal: AbortSignal
}

/**
 * One event stream for all tabs of a browser: the tab that holds the lock reads it and tells the others. When it closes,
 * the browser passes the lock on. The token goes in a header, not in the URL.
 */
export function followStream({ token, onMessage, onState, signal }: Options): void {
  const tabs = new BroadcastChannel('zonekeeper-events')
  // Also events read by another tab, so that the next reader continues after them.
  let last: string | null = null
  tabs.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => {
    last = data.id
    onMessage(data)
  })
  signal.addEventListener('abort', () => tabs.close())
  const tell = (message: StreamMessage) => {
    tabs.postMessage(message)
    onMessage(message)
  }
  // Rejects when `signal` aborts, which ends it. Plain HTTP has no locks, except on localhost: each tab reads on its own.
  const locks = navigator.locks as LockManager | undefined
  const reading = locks ? locks.request('zonekeeper-stream', { signal }, readForEver) : readForEver()
  reading.catch(() => onState('off'))

  async function readForEver(): Promise<void> {
    let wait = 1_000
    let refused: string | null = null
    while (!signal.aborted) {
      let bearer: string | null = null
      try {
        bearer = await token(refused)
        if (bearer === null) return onState('off')
        refused = null
        for await (const message of read(bearer)) {
          last = message.id
          wait = 1_000
          onState('live')
          tell(message)
        }
      } catch (error) {
        if (error === 403) return onState('off')
        if (error === 401) refused = bearer
      }
      onState('waiting')
      // Spread out, as a restart of the service ends all streams at once.
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
      wait = Math.min(wait * 2, 30_000)
    }
  }

  async function* read(bearer: string): AsyncGenerator<StreamMessage> {
    const headers = { authorization: `Bearer ${bearer}`, ...(last !== null && { 'last-event-id': last }) }
    const answer = await fetch('/api/notifications/stream', { headers, signal, cache: 'no-store' })
    if (!answer.ok || answer.body === null) throw answer.status
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    // Not `for await`: Safari's streams were not iterable until recently.
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const line = (name: string) =>
          block
            .split('\n')
            .find((one) => one.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        const data = line('data')
        if (data !== undefined) yield { ...(JSON.parse(data) as StreamMessage), id: line('id') ?? '' }
      }
    }
  }
}
