import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Account } from './processes.ts'

/** The account to run PostgreSQL as: none if we aren't root, else the cluster's owner, `postgres` or `nobody`. */
export function chooseAccount(cluster: string): Account | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0) {
    if (stat && stat.uid !== process.getuid?.()) throw new Error(wrongOwner(cluster, stat.uid))
    return undefined
  }
  if (stat && stat.uid !== 0) return { uid: stat.uid, gid: stat.gid }
  return accountOf('postgres') ?? accountOf('nobody') ?? { uid: 65534, gid: 65534 }
}

const wrongOwner = (cluster: string, uid: number) =>
  `${cluster} belongs to the user with id ${uid}, so Zonekeeper can't use it as the user with id ` +
  `${process.getuid?.()}: start it as root or as the user who started it before, or change the owner`

function accountOf(name: string): Account | undefined {
  const ask = (option: string) =>
    Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}
