import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Assignment, Domain } from '../../typescript/index.ts'
import { EXIT, CliError } from '../failures.ts'
import { settingsOf } from '../commands/settings/domain-settings.ts'

/* The folder of an export: `export.json`, and in `domains` a zone file and a JSON file for each domain. */

const FORMAT = 1

/** The run that wrote the folder. */
export interface ExportRun {
  format: typeof FORMAT
  service: string
  startedAt: string
  /** Null until all domains are written; a run that was interrupted continues. */
  finishedAt: string | null
}

type ExportedAssignment = Pick<
  Assignment,
  'username' | 'subdomainPattern' | 'permission' | 'recordTypes' | 'expiresAt'
>

/** A domain besides its records, which are in the zone file next to it. */
export interface ExportedDomain {
  name: string
  exportedAt: string
  /** `name`: null if the token did not see it. */
  connection: { name: string | null; kind: string }
  owner: string
  /** The token saw only some of the records. */
  isPart: boolean
  /** Records at the provider that are not managed, and so not exported. */
  unmanaged: number
  expiresAt: string | null
  settings: ReturnType<typeof settingsOf>
  /** Null if the token may not read them. */
  assignments: ExportedAssignment[] | null
}

export const toExported = (
  domain: Domain,
  assignments: Assignment[] | null,
  isPart: boolean,
): ExportedDomain => ({
  name: domain.name,
  exportedAt: new Date().toISOString(),
  connection: { name: domain.providerConfigName, kind: domain.providerKey },
  owner: domain.owner.username,
  isPart,
  unmanaged: domain.unmanaged,
  expiresAt: domain.expirySource === 'manual' ? domain.expiresAt : null,
  settings: settingsOf(domain),
  assignments:
    assignments?.map(({ username, subdomainPattern, permission, recordTypes, expiresAt }) => ({
      username,
      subdomainPattern,
      permission,
      recordTypes,
      expiresAt,
    })) ?? null,
})

/** Characters of the domain's name in the names of its files; names of files have at most 255. */
const NAMED = 150

/** Path of a domain's files without extension; the id tells namesakes apart. */
export const fileOf = (folder: string, { id, name }: { id: string; name: string }): string =>
  path.join(folder, 'domains', `${encodeURIComponent(name).replaceAll('*', '%2A').slice(0, NAMED)}_${id}`)

const runFile = (folder: string) => path.join(folder, 'export.json')

/** Writes the whole file or nothing. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
}

export const writeJson = (file: string, content: object): Promise<void> =>
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`)

/** Begins an export, or returns the one that was interrupted. Rejects with CliError if the folder holds anything else. */
export async function beginRun(folder: string, service: string): Promise<ExportRun> {
  await mkdir(path.join(folder, 'domains'), { recursive: true, mode: 0o700 })
  const found = await readRun(folder)
  if (found?.finishedAt)
    throw new CliError(EXIT.usage, `${folder} holds a finished export; give another folder`)
  if (found && found.service !== service)
    throw new CliError(EXIT.usage, `${folder} holds an export of ${found.service}; give another folder`)
  if (found) return found
  const run: ExportRun = { format: FORMAT, service, startedAt: new Date().toISOString(), finishedAt: null }
  await writeJson(runFile(folder), run)
  return run
}

export const finishRun = (folder: string, run: ExportRun): Promise<void> =>
  writeJson(runFile(folder), { ...run, finishedAt: new Date().toISOString() })

export async function readRun(folder: string): Promise<ExportRun | null> {
  const run = await readJson<ExportRun>(runFile(folder))
  if (run !== null && run.format !== FORMAT)
    throw new CliError(EXIT.usage, `${folder} was written by a version whose format is not known here`)
  return run
}

/** Returns null if the file does not exist. */
export async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CliError(EXIT.usage, `${file} can't be read`)
  }
}

/** Paths without extension of the domains in an export, in the order of their names. */
export async function domainFiles(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'domains')).catch(() => {
    throw new CliError(EXIT.usage, `${folder} is not the folder of an export`)
  })
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(folder, 'domains', name.slice(0, -'.json'.length)))
}
