import { statfsSync } from 'node:fs'

/** What PostgreSQL takes at a time for its log (wal_segment_size): with less it ends when it needs the next piece. */
export const NEEDED_MIB = 16

/** Whether PostgreSQL can go on writing on the disk of that directory. */
export function hasRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= NEEDED_MIB * 1024 ** 2
}

/** Whether a line of PostgreSQL's log says that something found no room. */
export const saysFull = (line: string): boolean => /No space left on device|Disk quota exceeded/.test(line)
