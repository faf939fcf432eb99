import { toAsciiName } from '../../../dns/names/names.ts'
import { readSuffix } from './addresses.ts'

/** A host of a call. */
export interface Host {
  /** Canonical name. */
  name: string
  /** Lower bits as an address; null to keep the current ones. */
  suffix: string | null
}

/** Maximum hosts in one call. */
export const MAX_HOSTS = 20

/** Hosts are separated by commas, which names don't contain. */
export const splitHosts = (given: readonly string[]): string[] =>
  given
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** Reads `<name>` or `<name>;suffix=<lower bits>`; null if it is not a full name or suffix. */
export function readHost(text: string): Host | null {
  const [given = '', ...more] = text.split(';')
  const suffix = more.length === 0 ? null : suffixOf(more)
  const isWildcard = given.startsWith('*.')
  const read = toAsciiName(isWildcard ? given.slice(2) : given)
  if (!read.ok || !read.name.includes('.') || suffix === undefined) return null
  return { name: isWildcard ? `*.${read.name}` : read.name, suffix }
}

function suffixOf([text = '', ...more]: string[]): string | undefined {
  const [, bits] = /^suffix=(.+)$/i.exec(text) ?? []
  return more.length > 0 || bits === undefined ? undefined : (readSuffix(bits) ?? undefined)
}
