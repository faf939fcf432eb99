import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfThere, startOf } from './processes.ts'

export interface Ownership {
  /** The process that held the directory before and didn't release it. */
  previousPid: number | undefined
  release: () => void
}

/**
 * Makes this process the only Zonekeeper on `dataDir`, with a file that holds our pid and start time. Rejects
 * at once if another living process holds it; the file of a dead one is taken over, even if its pid is in use
 * again.
 */
export async function takeOwnership(dataDir: string): Promise<Ownership> {
  const file = join(dataDir, 'zonekeeper.pid')
  const ours = `${process.pid}\n${startOf(process.pid)}\n`
  let previousPid: number | undefined
  while (!createFile(file, ours)) {
    const theirs = await readComplete(file)
    const [pid, start] = [Number.parseInt(theirs, 10), theirs.split('\n')[1]]
    if (start && startOf(pid) === start) {
      throw new Error(`Zonekeeper process ${pid} is already using the data directory ${dataDir}`)
    }
    previousPid = pid || undefined
    removeStale(file, theirs)
  }
  return { previousPid, release: () => removeStale(file, ours) }
}

function createFile(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o644 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Content of the owner file; waits a moment for a process that is just creating it. */
async function readComplete(file: string): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const text = readIfThere(file)
    if (text !== '') return text ?? ''
    await sleep(10)
  }
  return ''
}

/** Removes the file if it contains `content`. */
function removeStale(file: string, content: string): void {
  const aside = `${file}.${process.pid}`
  try {
    // If several processes find the same dead owner, the rename lets one through. A late one may get the
    // first one's file instead and puts it back. (If a third comes in between, PostgreSQL's own lock still
    // protects the data.)
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') === content) unlinkSync(aside)
    else renameSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
