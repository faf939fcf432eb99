import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export interface Told {
  event: string
  id: string
  title: string
  content: string
  level: string
  metadata: Record<string, unknown>
  createdAt: string
}

/** A receiver of webhooks that believes nothing which the npm package standardwebhooks does not verify. */
export async function startReceiver(t: Owner, { secret = WEBHOOK_SECRET, raw = false } = {}) {
  const verifier = raw ? new Webhook(secret, { format: 'raw' }) : new Webhook(secret)
  const told: Told[] = []
  const state = {
    /** What it answers to a message that it could verify; null: it never answers. */
    answer: { status: 204 } as SimulatorAnswer | null,
    /** How long it thinks before. */
    delayMs: 0,
  }
  const server = await startServer(async ({ headers, body }: SimulatorRequest) => {
    const { answer, delayMs } = state
    if (answer === null) return new Promise<SimulatorAnswer>(() => {})
    if (delayMs > 0) await sleep(delayMs)
    if (answer.status >= 300) return answer
    try {
      told.push(verifier.verify(body, headers as Record<string, string>) as Told)
    } catch (error) {
      return { status: 401, body: String(error) }
    }
    return answer
  })
  t.teardown(() => server.close())
  return { ...server, told, state, config: { url: `${server.url}/hooks/zonekeeper`, secret } }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
