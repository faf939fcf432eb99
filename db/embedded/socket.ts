import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Only part of the socket's name: PostgreSQL doesn't listen on TCP. */
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
 * A path to the cluster, which has the socket, that is short enough for clients: its own, or a link in a
 * temporary directory. The link's name is derived from the cluster, so one left by a killed process is
 * reused.
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
    `${cluster} is too long for a Unix socket, and a link to it could not be created in ${bases.join(' or ')}`,
  )
}

/** Creates the link or finds it. Another user's link could lead our clients to their server. */
function isOurLink(path: string, target: string): boolean {
  try {
    symlinkSync(target, path)
  } catch {
    // it exists, or the directory doesn't or isn't writable
  }
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return !!stat?.isSymbolicLink() && stat.uid === process.getuid?.() && readlinkSync(path) === target
}

/** Whether a server answers on the socket; it may be in another container, where its pid isn't visible. */
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

/**
 * Removes the lock file of the socket. It protects only the socket, and its pid may belong to another
 * program.
 */
export function clearSocketLock(cluster: string): void {
  const lock = join(cluster, `${socketName}.lock`)
  if (existsSync(lock)) unlinkSync(lock)
}
