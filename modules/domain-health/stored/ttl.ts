import { finding } from '../checking/finding.ts'
import { rrsetsOf, updateOf, type NodeCheck, type StoredRecord } from './zone.ts'

/** Seconds. */
const SHORT = 60
const SHORT_FIX = 300
/** What resolvers should cap a TTL at (RFC 8767 section 4). */
const LONG = 604_800
const LONG_FIX = 86_400

/** TTLs of proxied records are the provider's. */
const ttlsOf = (rrset: readonly StoredRecord[]) =>
  rrset.flatMap(({ ttl, proxied }) => (ttl === null || proxied ? [] : [ttl]))

const setTtl = (rrset: readonly StoredRecord[], ttl: number) =>
  rrset.filter((record) => record.ttl !== ttl).map((record) => updateOf(record, { ttl }))

/** TTLs that are very short or long. */
export const ttlRange: NodeCheck = ({ name, records }) =>
  rrsetsOf(records).flatMap((rrset) => {
    const [{ type, routing } = { type: '', routing: null }] = rrset
    const ttls = ttlsOf(rrset)
    const [shortest, longest] = [Math.min(...ttls), Math.max(...ttls)]
    const about = { name, type, subject: routing?.key ?? '' }
    if (ttls.length === 0) return []
    if (longest > LONG) {
      const detail = `The TTL is ${longest} s, more than ${LONG} s (7 days).`
      const params = { ttl: longest, maximum: LONG }
      return [finding({ ...about, code: 'ttl.long', detail, params, fix: setTtl(rrset, LONG_FIX) })]
    }
    if (shortest >= SHORT) return []
    const detail = `The TTL is ${shortest} s, less than ${SHORT} s.`
    const params = { ttl: shortest, minimum: SHORT }
    return [finding({ ...about, code: 'ttl.short', detail, params, fix: setTtl(rrset, SHORT_FIX) })]
  })

/** RRsets whose records have different TTLs. */
export const ttlDiffers: NodeCheck = ({ name, records }) =>
  rrsetsOf(records).flatMap((rrset) => {
    const [{ type, routing } = { type: '', routing: null }] = rrset
    const ttls = [...new Set(ttlsOf(rrset))].sort((one, other) => one - other)
    const [shortest] = ttls
    if (shortest === undefined || ttls.length < 2) return []
    return [
      finding({
        code: 'rrset.ttl_differs',
        name,
        type,
        subject: routing?.key ?? '',
        detail: `The records of this RRset have the TTLs ${ttls.join(', ')} s.`,
        params: { ttls },
        // Resolvers use the lowest (RFC 2181 section 5.2).
        fix: setTtl(rrset, shortest),
      }),
    ]
  })
