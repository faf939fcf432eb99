import type { TokenRestrictions } from '../../../db/tables/index.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import type { Role } from '../../../schemas/people/user.ts'
import { isWithin } from '../addresses.ts'

/** What a personal token allows; never more than its user can do at that moment. */
export interface TokenGrant {
  id: string
  name: string
  /** Its last characters; null if not known yet. */
  suffix: string | null
  permissions: readonly Permission[]
  restrictions: TokenRestrictions
}

export interface TokenOwner extends TokenGrant {
  userId: string
  username: string
  role: Role
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null
  /** Whether the user must have a second factor and has none. */
  lacksFactor: boolean
  lastUsedAt: number
}

/** Returns whether the caller's token covers only some of its user's domains or records. */
export function isNarrowed({ token }: { token: TokenGrant | null }): boolean {
  const { domainIds, namePatterns, recordTypes } = token?.restrictions ?? {}
  return domainIds !== undefined || namePatterns !== undefined || recordTypes !== undefined
}

/** Returns whether the token can be used from that address. */
export const mayComeFrom = (address: string, { ipRanges }: TokenRestrictions): boolean =>
  ipRanges === undefined || isWithin(address, ipRanges)
