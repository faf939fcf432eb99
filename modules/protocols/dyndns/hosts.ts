import { toAsciiName } from '../../../dns/names/names.ts'
import { readSuffix } from './addresses.ts'

/** A host that a call names. */
export interface Host {
  /** In canonical form. */
  name: string
  /** Its lower bits, as an address; null: those it has. */
  suffix: string | null
}

/** How many hosts one call may name. */
export const MAX_HOSTS = 20

/** What is between hosts: commas; no name has one. */
export const splitHosts = (given: readonly string[]): string[] =>
  given
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** `<name>` or `<name>;suffix=<lower bits>`; null when it is no full name, or no suffix. */
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
