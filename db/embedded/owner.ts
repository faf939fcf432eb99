import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfThere, startOf } from './processes.ts'

export interface Ownership {
  /** The process that had the directory before and didn't give it back. */
  previousPid: number | undefined
  release: () => void
}

/**
 * Makes this process the only Zonekeeper on `dataDir`, by a file with our pid and start time. Rejects at once
 * if another living process has it; the file of a dead one is taken over, also when its pid is in use again.
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

/** Its text; another process that is just creating it gets a moment to write that. */
async function readComplete(file: string): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const text = readIfThere(file)
    if (text !== '') return text ?? ''
    await sleep(10)
  }
  return ''
}

/** Removes the file if its text is `content`. */
function removeStale(file: string, content: string): void {
  const aside = `${file}.${process.pid}`
  try {
    // Of several processes that found the same dead owner, the renaming lets one through. A late one may get
    // the file of the first instead and puts it back. (Should a third come in between, PostgreSQL's own lock
    // still keeps the data safe.)
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') === content) unlinkSync(aside)
    else renameSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
