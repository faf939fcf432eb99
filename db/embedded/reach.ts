import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Account } from './processes.ts'

/** Why `account` can't run the programs in `native`; undefined if it can. */
export const tryOut = (native: string, account: Account | undefined): string | undefined =>
  tryCommand(join(native, 'bin/postgres'), ['--version'], account)

function tryCommand(program: string, args: string[], account: Account | undefined): string | undefined {
  // Without our environment, which has secrets.
  const run = spawnSync(program, args, { cwd: '/', env: {}, encoding: 'utf8', ...account })
  if (run.error) return run.error.message
  return run.status === 0 ? undefined : run.stderr.trim() || `exit code ${run.status ?? run.signal}`
}

/**
 * A copy of `native` that every user can reach, made once. Only root may be able to change it or a parent
 * directory; otherwise another user could make us run their program.
 */
export function copyWithinReach(native: string, name: string, account: Account): string {
  const failures: string[] = []
  const cannotBecome = tryCommand('/bin/sh', ['-c', ':'], account)
  for (const base of cannotBecome ? [] : ['/var/cache', '/var/tmp', '/tmp']) {
    const copy = join(base, name)
    try {
      if (!isRoots(base, 0o1000)) continue
      prepareCopy(native, copy)
      const failure = tryOut(copy, account)
      if (!failure) return copy
      failures.push(`${copy}: ${failure}`)
    } catch (error) {
      failures.push(`${copy}: ${(error as Error).message}`)
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and it can't be run as the user with id ${account.uid} ` +
      `(${cannotBecome ?? failures.join('; ')}). Start Zonekeeper as an ordinary user, or set DATABASE_URL ` +
      'to use your own PostgreSQL',
  )
}

function prepareCopy(native: string, copy: string): void {
  if (!existsSync(copy)) makeCopy(native, copy)
  if (!isRoots(copy)) throw new Error('users other than root can write to it')
  if (!isComplete(native, copy)) replaceCopy(native, copy)
}

/** Whether only root can change its content; `orMode` (sticky, like /tmp) lets others add to it. */
function isRoots(directory: string, orMode = 0): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== 0) return false
  return (stat.mode & 0o022) === 0 || (stat.mode & orMode) !== 0
}

function makeCopy(native: string, copy: string): void {
  const draft = mkdtempSync(`${copy}.`)
  try {
    for (const path of contents(native)) copyEntry(join(native, path), join(draft, path))
    chmodSync(draft, 0o755)
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error // else another process was faster
  }
}

function copyEntry(from: string, to: string): void {
  const stat = lstatSync(from)
  if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(from), to)
  if (stat.isDirectory()) mkdirSync(to)
  else copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o755) // regardless of our umask, or the one at installation
}

/** Checks sizes: copies aren't synced to disk, and cleaners of temporary files remove parts of them. */
const isComplete = (native: string, copy: string): boolean =>
  contents(native).every((path) => {
    const [theirs, ours] = [join(native, path), join(copy, path)].map((file) =>
      statSync(file, { throwIfNoEntry: false }),
    )
    return ours && (ours.isDirectory() || ours.size === theirs?.size)
  })

/**
 * A PostgreSQL running from the old copy keeps running: that copy is moved away first, and the new one is
 * identical.
 */
function replaceCopy(native: string, copy: string): void {
  const old = mkdtempSync(`${copy}.`)
  renameSync(copy, join(old, 'old'))
  makeCopy(native, copy)
  rmSync(old, { recursive: true, force: true })
}

/** Everything below `native` that PostgreSQL needs, directories before their content. */
const contents = (native: string): string[] =>
  readdirSync(native, { recursive: true, encoding: 'utf8' }).filter((path) => !path.endsWith('.a'))
