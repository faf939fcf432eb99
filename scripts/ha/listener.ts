import { setTimeout as sleep } from 'node:timers/promises'
import type { RepeatingClient } from './client.ts'

/** An event stream as EventSource keeps it: it reconnects with the id of the last message. */
export interface Listener {
  /** How often each record was announced, by its name. */
  announced: Map<string, number>
  /** Messages that came twice. */
  repeated: number
  connections: number
  stop(): void
}

const RETRY_MS = 2_000

interface Message {
  event: string
  id: string
  metadata?: { records?: { name?: string; host?: string }[] }
}

export function listen(client: RepeatingClient): Listener {
  const listener = { announced: new Map<string, number>(), repeated: 0, connections: 0 }
  const ids = new Set<string>()
  const over = new AbortController()
  let last = ''

  function hear(block: string): void {
    const line = (name: string) =>
      block
        .split('\n')
        .find((text) => text.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const [id, data] = [line('id'), line('data')]
    if (id === undefined || data === undefined) return
    last = id
    const message = JSON.parse(data) as Message
    if (message.event === 'connected') return
    if (ids.has(id)) listener.repeated++
    ids.add(id)
    if (message.event !== 'record.created') return
    for (const { host, name = '' } of message.metadata?.records ?? []) {
      const label = (host ?? name).split('.', 1)[0] as string
      listener.announced.set(label, (listener.announced.get(label) ?? 0) + 1)
    }
  }

  async function connect(): Promise<void> {
    const answer = await fetch(`${client.url}/api/notifications/stream`, {
      headers: {
        authorization: `Bearer ${client.token}`,
        ...(last !== '' && { 'last-event-id': last }),
      },
      signal: over.signal,
    })
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel()
      return
    }
    listener.connections++
    let rest = ''
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() as string
      blocks.forEach(hear)
    }
  }

  void (async () => {
    while (!over.signal.aborted) {
      // A broken connection is what this is about: it reconnects.
      await connect().catch(() => {})
      await sleep(RETRY_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  return Object.assign(listener, { stop: () => over.abort() })
}
