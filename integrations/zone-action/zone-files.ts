import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { ActionError } from './settings.ts'

/** A file of the repository that is a whole zone. */
export interface ZoneFile {
  domain: string
  /** Relative to the workspace, with `/`. */
  path: string
  /** Absolute. */
  file: string
}

const ZONE_FILE = /^(.+)\.(?:zone|ya?ml)$/i
/** Letters of any script; nothing that means something in Markdown, paths or options. */
const DOMAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u

/**
 * Returns the zone files of a folder, by name. Throws ActionError if there is none, if a domain has two, or if a file is a link:
 * an error in it would show what it leads to.
 */
export function findZoneFiles(workspace: string, folder: string): ZoneFile[] {
  const root = realpathSync(workspace)
  const inside = path.resolve(root, folder)
  if (!isFolder(inside) || realpathSync(inside) !== inside || !`${inside}/`.startsWith(`${root}/`))
    throw new ActionError(`The folder of the input zones does not exist in the repository: ${folder}`)
  const found = readdirSync(inside)
    .sort()
    .flatMap((name) => {
      const domain = ZONE_FILE.exec(name)?.[1]
      return domain === undefined ? [] : [{ domain, name }]
    })
  for (const { domain, name } of found) {
    if (!DOMAIN.test(domain)) throw new ActionError(`Not a domain: ${JSON.stringify(name)}`)
    if (!lstatSync(path.join(inside, name)).isFile()) throw new ActionError(`Not a regular file: ${name}`)
  }
  const domains = found.map(({ domain }) => domain.toLowerCase())
  const twice = domains.find((domain, index) => domains.indexOf(domain) !== index)
  if (twice !== undefined) throw new ActionError(`Two files are named after ${twice}`)
  if (found.length === 0) throw new ActionError(`No zone files (NAME.zone, NAME.yaml) in ${folder}`)
  return found.map(({ domain, name }) => ({
    domain,
    path: path.relative(root, path.join(inside, name)).split(path.sep).join('/'),
    file: path.join(inside, name),
  }))
}

const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true
