import type { TokenRestrictions } from '../../../db/tables/index.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import type { Role } from '../../../schemas/people/user.ts'
import { isWithin } from '../addresses.ts'

/** What a personal token lets its bearer do; never more than its user may at that moment. */
export interface TokenGrant {
  id: string
  name: string
  /** Its last characters; null where they are not known yet. */
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

/** Whether the caller comes with a token that reaches a part of its user's domains or records only. */
export function isNarrowed({ token }: { token: TokenGrant | null }): boolean {
  const { domainIds, namePatterns, recordTypes } = token?.restrictions ?? {}
  return domainIds !== undefined || namePatterns !== undefined || recordTypes !== undefined
}

/** Whether the token may be used from that address. */
export const mayComeFrom = (address: string, { ipRanges }: TokenRestrictions): boolean =>
  ipRanges === undefined || isWithin(address, ipRanges)
