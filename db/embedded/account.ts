import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Account } from './processes.ts'

/** The account to run PostgreSQL as: none if we aren't root, else the cluster's owner, `postgres` or `nobody`. */
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
  if (owner) return { uid: owner.uid, gid: owner.gid }
  return accountOf('postgres') ?? accountOf('nobody') ?? { uid: 65534, gid: 65534 }
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
