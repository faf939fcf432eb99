import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Only part of the socket's name: there is no TCP listener. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`

// sun_path with its final zero byte: 108 bytes on Linux, 104 on macOS.
const maxLength = process.platform === 'linux' ? 107 : 103
const fits = (directory: string) => Buffer.byteLength(join(directory, socketName)) <= maxLength

export interface SocketDirectory {
  path: string
  remove: () => void
}

/**
 * A path to the cluster, where the socket is, that is short enough for clients: its own, or a link in a
 * directory for temporary files. The link's name follows from the cluster's: one left behind by a killed
 * process is used again.
 */
export function openSocketDirectory(cluster: string): SocketDirectory {
  if (fits(cluster)) return { path: cluster, remove: () => {} }
  const name = `zonekeeper-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  // Only root can write to /run, and nobody cleans it up while we use it.
  const bases = process.getuid?.() === 0 ? ['/run', tmpdir(), '/tmp'] : [tmpdir(), '/tmp']
  for (const path of bases.map((base) => join(base, name))) {
    if (fits(path) && isOurLink(path, cluster)) return { path, remove: () => rmSync(path, { force: true }) }
  }
  throw new Error(
    `${cluster} is too long a path for a Unix socket, and no link to it could be made in ${bases.join(' or ')}`,
  )
}

/** Makes the link or finds it there. Another user's link could lead our clients to a server of theirs. */
function isOurLink(path: string, target: string): boolean {
  try {
    symlinkSync(target, path)
  } catch {
    // it is there, or the directory isn't, or isn't ours to write to
  }
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return !!stat?.isSymbolicLink() && stat.uid === process.getuid?.() && readlinkSync(path) === target
}

/** Whether a server answers on the socket; it may be in another container, where no pid can be seen. */
export function answers(directory: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(directory, socketName))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(code ?? '')),
    )
  })
}

/** Removes the lock beside the socket. It protects only the socket, and its pid may be another program's. */
export function clearSocketLock(cluster: string): void {
  const lock = join(cluster, `${socketName}.lock`)
  if (existsSync(lock)) unlinkSync(lock)
}
