import { statfsSync } from 'node:fs'

/**
 * Size of a PostgreSQL WAL segment (wal_segment_size): with less space, the server ends when it needs the
 * next one.
 */
export const NEEDED_MIB = 16

/** Whether the disk of this directory has room for PostgreSQL to keep writing. */
export function hasRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= NEEDED_MIB * 1024 ** 2
}

/** Whether a line of the PostgreSQL log reports a full disk. */
export const saysFull = (line: string): boolean => /No space left on device|Disk quota exceeded/.test(line)
