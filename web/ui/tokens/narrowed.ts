import type { Schemas } from '../../api/schema.d.ts'
import type { Messages } from '../../messages/en.ts'
import type { Formats } from '../../messages/formats.ts'

/** Restrictions of a token, one line each. */
export function narrowedBy(
  { narrowed }: Messages['tokens'],
  { list }: Formats,
  restrictions: Schemas['TokenRestrictions'] | null,
): string[] {
  const { domainIds, namePatterns, recordTypes, ipRanges } = restrictions ?? {}
  return [
    domainIds && narrowed.domains(domainIds.length),
    namePatterns && narrowed.names(list(namePatterns)),
    recordTypes && narrowed.types(list(recordTypes)),
    ipRanges && narrowed.addresses(list(ipRanges)),
  ].filter((line) => line !== undefined)
}
