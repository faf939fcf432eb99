import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { giveTo, initdbAccount } from './account.ts'
import { type Account, hasProc, spawnGuarded } from './processes.ts'

/**
 * What `-D` gets; the working directory must be the cluster. An account of ours may be unable to pass the
 * directories above, but it is in the working directory already, and /proc has an absolute path to that.
 * (`-D .` doesn't do: postgres makes it absolute and enters it again.)
 */
export const dataArgument = (cluster: string, account: Account | undefined): string =>
  account && hasProc ? '/proc/self/cwd' : cluster

interface CreateOptions {
  cluster: string
  initdb: string
  account: Account | undefined
  durable: boolean
}

/** Makes the cluster unless it is there. It appears complete or not at all, whenever we or the machine end. */
export async function createCluster({ cluster, initdb, account, durable }: CreateOptions): Promise<void> {
  removeDrafts(cluster)
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  const draft = mkdtempSync(`${cluster}.init-`)
  try {
    const maker = initdbAccount(account)
    giveTo(draft, maker)
    await runInitdb(initdb, draft, maker, durable)
    giveTo(draft, account)
    renameSync(draft, cluster)
    if (durable) syncDirectory(dirname(cluster))
    // An initdb whose parent was just killed may have written on while its draft was removed; by now it has ended.
    removeDrafts(cluster)
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

/** Those of processes that were killed; we own the data directory, so nobody else is making one. */
function removeDrafts(cluster: string): void {
  const parent = dirname(cluster)
  for (const name of readdirSync(parent)) {
    const draft = join(parent, name)
    if (draft.startsWith(`${cluster}.init-`)) removeDraft(draft)
  }
}

/** As far as it can be removed: what is left is never used, and mustn't hide a better error. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { recursive: true, force: true })
  } catch {
    // a root without root's usual rights may not remove what it gave to the account
  }
}

async function runInitdb(initdb: string, draft: string, account: Account | undefined, durable: boolean) {
  const access = ['--username=postgres', '--auth=trust']
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = [...access, ...text, '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  const command = [initdb, '-D', dataArgument(draft, account), ...options]
  const run = spawnGuarded(command, { cwd: draft, account })
  const how = await run.exited
  if (how !== 'exit code 0') throw new Error(`initdb failed (${how}):\n${run.tail.join('\n')}`)
}

/** The new name itself is on the disk only when the directory is. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
