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
 * Value of `-D`; the working directory must be the cluster. The account may lack access to parent
 * directories, but it is already in the working directory, and /proc has an absolute path to that. (`-D .`
 * doesn't work: postgres makes it absolute and enters it again.)
 */
export const dataArgument = (cluster: string, account: Account | undefined): string =>
  account && hasProc ? '/proc/self/cwd' : cluster

interface CreateOptions {
  cluster: string
  initdb: string
  account: Account | undefined
  durable: boolean
}

/**
 * Creates the cluster unless it exists. It appears complete or not at all, even if the process or the machine
 * dies.
 */
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
    // An initdb whose parent was just killed may have kept writing while its draft was removed; by now it has
    // ended.
    removeDrafts(cluster)
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

/** Drafts of killed processes; we own the data directory, so nobody else is creating one. */
function removeDrafts(cluster: string): void {
  const parent = dirname(cluster)
  for (const name of readdirSync(parent)) {
    const draft = join(parent, name)
    if (draft.startsWith(`${cluster}.init-`)) removeDraft(draft)
  }
}

/** Best effort: leftovers are never used, and a failure here mustn't hide a better error. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { recursive: true, force: true })
  } catch {
    // root without its usual rights may not be able to remove what it gave to the account
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

/** Syncs the directory too: only then is the new name itself on disk. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
