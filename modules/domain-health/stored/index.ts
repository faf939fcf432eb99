import { privateAddresses } from './addresses.ts'
import { caaPresent, caaSyntax } from './caa.ts'
import { dmarcPresent, loneNullMx, mailPolicies, oneSpf } from './mail.ts'
import { mtaSts } from './mta-sts.ts'
import { ttlDiffers, ttlRange } from './ttl.ts'
import type { NodeCheck, ZoneCheck } from './zone.ts'

/** All checks that look at one name of the stored zone. */
export const NODE_CHECKS: readonly NodeCheck[] = [
  mailPolicies,
  oneSpf,
  loneNullMx,
  mtaSts,
  caaSyntax,
  privateAddresses,
  ttlRange,
  ttlDiffers,
]

export const ZONE_CHECKS: readonly ZoneCheck[] = [dmarcPresent, caaPresent]
