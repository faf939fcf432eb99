import { setTimeout as sleep } from 'node:timers/promises'
import { noCounts, type Counts, type RepeatingClient } from './client.ts'

/** What one fault did to the clients. */
export interface Phase extends Counts {
  /** The names of records that were acknowledged. */
  acknowledged: string[]
  /** When writes were acknowledged, in ms of `performance.now()`. */
  writtenAt: number[]
}

export const newPhase = (): Phase => ({ ...noCounts(), acknowledged: [], writtenAt: [] })

/** Clients that each do one thing after another; together they make the rate. */
const CLIENTS = 40
const BULK = 5
/** Of a thousand requests. The rest are reads. */
const OF_A_THOUSAND = { create: 80, bulk: 15, signIn: 5 }
const READS = ['/api/auth/me', '/api/domains', '/api/records/search?q=www', 'records?limit=20']

interface Load {
  /** Stops, and waits until each client has its last answer. */
  stop(): Promise<void>
}

/** Requests at this rate a second; each is counted in the phase in which it starts. */
export function startLoad(client: RepeatingClient, domainId: string, rate: number, phase: () => Phase): Load {
  const records = `/api/domains/${domainId}/records`
  let n = 0
  const over = new AbortController()

  async function write(counts: Phase, size: number): Promise<void> {
    const names = Array.from({ length: size }, () => `n${++n}`)
    const content = names.map((name) => ({ recordType: 'A', name, value: '192.0.2.1' }))
    const request =
      size === 1
        ? { path: records, body: content[0] }
        : { path: `${records}/bulk`, body: { records: content } }
    const answer = await client.ask({ method: 'POST', ...request }, counts)
    if (answer === null) return
    const results = (answer.body.results ?? [{}]) as { error?: unknown }[]
    for (const [i, { error }] of results.entries()) {
      if (error) counts.failed.push(`entry of bulk: ${JSON.stringify(results[i])}`)
      else counts.acknowledged.push(names[i] as string)
    }
    counts.writtenAt.push(performance.now())
  }

  async function once(): Promise<unknown> {
    const counts = phase()
    let kind = Math.random() * 1_000
    if ((kind -= OF_A_THOUSAND.create) < 0) return write(counts, 1)
    if ((kind -= OF_A_THOUSAND.bulk) < 0) return write(counts, BULK)
    if ((kind -= OF_A_THOUSAND.signIn) < 0) return client.signIn(counts)
    const path = READS[Math.floor(Math.random() * READS.length)] as string
    return client.ask(
      { method: 'GET', path: path.startsWith('/') ? path : `/api/domains/${domainId}/${path}` },
      counts,
    )
  }

  async function work(): Promise<void> {
    const interval = (CLIENTS / rate) * 1_000
    await sleep(Math.random() * interval)
    while (!over.signal.aborted) {
      const begun = performance.now()
      await once()
      await sleep(Math.max(0, begun + interval - performance.now()))
    }
  }

  const workers = Array.from({ length: CLIENTS }, work)
  return {
    async stop() {
      over.abort()
      await Promise.all(workers)
    },
  }
}
