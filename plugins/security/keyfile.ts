import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../config-error.ts'

const KEY_BYTES = 32

/** Returns the keys of SECRET_KEY, 32 bytes each. Throws ConfigError. */
export function parseSecretKeys(entries: readonly string[]): Buffer[] {
  const keys = entries.map((entry) => {
    const key = Buffer.from(entry, 'base64')
    if (key.length !== KEY_BYTES || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(entry))
      throw new ConfigError('SECRET_KEY', 'each key must be 32 base64-encoded bytes')
    return key
  })
  if (new Set(keys.map((key) => key.toString('hex'))).size < keys.length)
    throw new ConfigError('SECRET_KEY', 'contains the same key twice')
  return keys
}

/** Returns the 32-byte key in `dataDir`/secret.key; creates the file (mode 0600) if it is missing. */
export function readOrCreateKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'secret.key')
  try {
    return readKey(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Written and synced before it is renamed, so that a crash never leaves half a key.
  const draft = `${file}.${process.pid}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
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
  if (key.length !== KEY_BYTES) throw new Error(`${file} is not a key of 32 base64-encoded bytes`)
  return key
}
