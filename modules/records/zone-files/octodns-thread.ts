import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../../plugins/http/errors.ts'
import { lineFault } from './line-faults.ts'
import { parseOctodns } from './octodns.ts'
import type { ZoneFile } from './zonefile.ts'

export interface OctodnsWork {
  text: string
  zone: string
}

export interface OctodnsPart extends Partial<ZoneFile> {
  isLast?: true
}

/** Characters that are read at once where they come: a thread takes longer to begin. */
const SMALL = 4 * 1024
const MOST_MS = 10_000
const MOST_MEMORY_MB = 256
const MOST_WAITING = 10

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Reads octoDNS' YAML, all but the smallest in a thread of its own: some YAML takes seconds, and its reader can't be
 * interrupted. One at a time; above ten that wait 503. What takes longer than 10 s is an error of the file.
 */
export async function readOctodns(text: string, zone: string): Promise<ZoneFile> {
  if (text.length <= SMALL) return parseOctodns(text, zone)
  if (waiting >= MOST_WAITING)
    throw unavailable('Many files are being read already; try again', { seconds: 5 })
  waiting++
  const reading = last.then(() => readInThread({ text, zone }))
  last = reading.catch(() => {})
  try {
    return await reading
  } finally {
    waiting--
  }
}

async function readInThread(work: OctodnsWork): Promise<ZoneFile> {
  const worker = new Worker(new URL('octodns-worker.ts', import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  const timeout = AbortSignal.timeout(MOST_MS)
  const file: ZoneFile = { records: [], skipped: [], errors: [] }
  try {
    for await (const [part] of on(worker, 'message', { signal: timeout }) as AsyncIterable<[OctodnsPart]>) {
      for (const list of ['records', 'skipped', 'errors'] as const)
        file[list].push(...((part[list] ?? []) as never[]))
      if (part.isLast) break
    }
    return file
  } catch (error) {
    const isTooMuch = timeout.aborted || (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!isTooMuch) throw error
    file.errors.push({
      line: 1,
      ...lineFault('yaml_slow', 'takes too long to be read; write it in a simpler form'),
    })
    return file
  } finally {
    await worker.terminate()
  }
}
