import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

/** The key in `dataDir`/secret.key, made there (mode 0600) when there is none. 32 bytes. */
export function readOrCreateKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'secret.key')
  try {
    return readKey(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Written whole and on disk before it gets its name: a crash never leaves half a key.
  const draft = `${file}.${process.pid}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${randomBytes(32).toString('base64')}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
  return readKey(file)
}

function readKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes in base64`)
  return key
}
