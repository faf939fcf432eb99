import { execFileSync } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from './processes.ts'

/** Between the ranges that distributions and systemd assign. */
const FIRST_OWN_ID = 61_000

/**
 * The account to run PostgreSQL as: none unless we are root; otherwise the owner of the cluster, `postgres`,
 * or an unused id. Never `nobody`, whose other processes could get in, unless that user owns the whole data
 * directory.
 */
export function chooseAccount(cluster: string): Account | undefined {
  const owner = statSync(cluster, { throwIfNoEntry: false })
  const uid = process.getuid?.()
  if (uid === 0 ? owner?.uid === 0 : owner && owner.uid !== uid) {
    throw new Error(
      `${cluster} belongs to the user with id ${owner?.uid}, so the user with id ${uid} can't run PostgreSQL on it ` +
        '(which refuses root). Start Zonekeeper as the user who started it before, or change the owner',
    )
  }
  if (uid !== 0) return undefined
  const isNobodys = owner?.uid === nobody().uid && statSync(dirname(cluster)).uid === 0
  if (owner && !isNobodys) return { uid: owner.uid, gid: owner.gid }
  return accountOf('postgres') ?? ownAccount()
}

/**
 * The account to run initdb as, which rejects ids without a name; the files are then given to the server's
 * account.
 */
export const initdbAccount = (account: Account | undefined): Account | undefined =>
  account && !hasName(account.uid) ? nobody() : account

/**
 * Gives a directory and everything in it to the account unless it already owns it. Nothing may be running on
 * it.
 */
export function giveTo(directory: string, account: Account | undefined): void {
  if (!account || statSync(directory).uid === account.uid) return
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, path), account.uid, account.gid)
  }
  // Last: if the account owns the directory, it owns everything in it.
  lchownSync(directory, account.uid, account.gid)
}

const nobody = (): Account => accountOf('nobody') ?? { uid: 65534, gid: 65534 }

function ownAccount(): Account {
  let id = FIRST_OWN_ID
  while (hasName(id)) id++
  return { uid: id, gid: id }
}

function hasName(uid: number): boolean {
  try {
    execFileSync('id', ['-nu', String(uid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function accountOf(name: string): Account | undefined {
  const ask = (option: string) =>
    Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}
