import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface SmallDisk {
  dir: string
  /** Takes all the room that is left. */
  fill(): void
  /** Gives back what `fill` took. */
  empty(): void
}

/** A file system of its own in memory, of so many MiB; null where mounting is not allowed. */
export function mountSmallDisk(t: { teardown(end: () => unknown): void }, mib: number): SmallDisk | null {
  const dir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', dir])
  t.teardown(() => {
    if (status === 0) spawnSync('umount', ['--lazy', dir])
    rmdirSync(dir)
  })
  if (status !== 0) return null
  const filler = path.join(dir, 'filler')
  return {
    dir,
    // It ends with the failure that is wanted.
    fill: () =>
      void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc']),
    empty: () => rmSync(filler, { force: true }),
  }
}
