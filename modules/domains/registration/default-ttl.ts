import type { Capabilities } from '../../providers/contract.ts'

/** Returns the provider's nearest supported TTL, in seconds. */
export function nearestTtl(
  wanted: number,
  { minTtl, maxTtl, ttls }: Pick<Capabilities, 'minTtl' | 'maxTtl' | 'ttls'>,
): number {
  if (ttls === undefined) return Math.min(Math.max(wanted, minTtl), maxTtl)
  const distance = (ttl: number) => Math.abs(ttl - wanted)
  return ttls.reduce((nearest, ttl) => (distance(ttl) < distance(nearest) ? ttl : nearest))
}
