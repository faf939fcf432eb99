import { coversName, parseNamePattern } from '../../dns/names/name-patterns.ts'
import { absoluteName } from '../../dns/names/names.ts'
import { invalid } from '../../plugins/http/errors.ts'
import type { MetadataOf } from '../../schemas/events/event-catalogue.ts'

/** The part of a domain that a permission covers. */
export interface PermissionTarget {
  domain_id: string
  domain_name: string
  pattern: string
}

/** The target as clients see it. */
export const toTarget = ({ domain_id, domain_name, pattern }: PermissionTarget) => ({
  type: pattern === '*' ? ('domain' as const) : ('subdomain' as const),
  domainId: domain_id,
  domainName: domain_name,
  subdomainPattern: pattern,
  host: pattern === '*' ? domain_name : absoluteName(pattern, domain_name),
})

/** Event metadata about a user's permission. */
export const toMetadata = (
  row: PermissionTarget & { username: string },
): MetadataOf<'assignment.create'> => ({
  ...toTarget(row),
  username: row.username,
})

/** Returns a given pattern in canonical form; missing means the whole domain. Throws a 400. */
export function readPattern(given: string | null | undefined, domainName: string): string {
  const parsed = parseNamePattern(given ?? '*')
  if (!parsed.ok) throw invalid({ path: '/subdomainPattern', code: parsed.code, message: parsed.reason })
  const { name } = parsed
  if (name === domainName || name.endsWith(`.${domainName}`)) {
    const message = `is relative to the domain: leave ${domainName} out, for example "app", or "@" for the domain itself`
    throw invalid({ path: '/subdomainPattern', code: 'pattern_relative', message })
  }
  return name
}

/** Whether the wider pattern covers every name of the first. */
export const isWithin = (pattern: string, wider: string): boolean => coversName([wider], pattern)

/** Reads an end, which must be in the future. Throws a 400. */
export function readEnd(expiresAt: string | null | undefined): Date | null {
  if (expiresAt == null) return null
  const end = new Date(expiresAt)
  if (end.getTime() <= Date.now())
    throw invalid({ path: '/expiresAt', code: 'in_past', message: 'must be in the future' })
  return end
}
