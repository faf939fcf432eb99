import { execFileSync } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from './processes.ts'

/** Between the ranges that distributions and systemd give out. */
const FIRST_OWN_ID = 61_000

/**
 * The account to run PostgreSQL as: none if we aren't root, else the cluster's owner, `postgres`, or an id that no user
 * has. Never `nobody`, whose other processes could come in, unless the whole data directory is that user's.
 */
export function chooseAccount(cluster: string): Account | undefined {
  const owner = statSync(cluster, { throwIfNoEntry: false })
  const uid = process.getuid?.()
  if (uid === 0 ? owner?.uid === 0 : owner && owner.uid !== uid) {
    throw new Error(
      `${cluster} belongs to the user with id ${owner?.uid}, so the user with id ${uid} can't run PostgreSQL on it ` +
        '(which refuses root): start Zonekeeper as the user who started it before, or change the owner',
    )
  }
  if (uid !== 0) return undefined
  const isNobodys = owner?.uid === nobody().uid && statSync(dirname(cluster)).uid === 0
  if (owner && !isNobodys) return { uid: owner.uid, gid: owner.gid }
  return accountOf('postgres') ?? ownAccount()
}

/** The account to run initdb as, which refuses ids without a name; what it makes is given to the server's. */
export const initdbAccount = (account: Account | undefined): Account | undefined =>
  account && !hasName(account.uid) ? nobody() : account

/** Gives a directory, and all that is in it, to the account, unless it is theirs. Nothing may run on it. */
export function giveTo(directory: string, account: Account | undefined): void {
  if (!account || statSync(directory).uid === account.uid) return
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, path), account.uid, account.gid)
  }
  // Last: where it is theirs, all in it is.
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
