import fc from 'fast-check'
import { rrsetKey } from '../../dns/names/rrset.ts'
import { checkValue, RECORD_TYPES, type RecordType } from '../../dns/types/index.ts'
import { generateValue } from '../dns/generate.ts'
import { Random } from '../dns/random.ts'

export interface GeneratedRecord {
  name: string
  recordType: RecordType
  value: string
  ttl: number | null
  proxied: boolean
}

const names = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('@', 'www', '*', '*.dev', '_dmarc', '10', 'a2.b', 'xn--bcher-kva', 'no'),
  },
  fc.stringMatching(/^[a-z0-9_]([a-z0-9-]{0,10}[a-z0-9])?(\.[a-z0-9]{1,5})?$/),
)

const record = fc.record({
  name: names,
  recordType: fc.constantFrom(...RECORD_TYPES),
  seed: fc.nat(),
  ttl: fc.constantFrom(60, 300, 3600, 86_400, null),
  proxied: fc.boolean(),
})

/**
 * Records with canonical values of all types that have a form of their own; each set of them has one TTL, or
 * one of the provider's choice (null).
 */
export const zones: fc.Arbitrary<GeneratedRecord[]> = fc
  .array(record, { minLength: 1, maxLength: 60 })
  .map((drawn) => {
    const sets = new Map<string, Pick<GeneratedRecord, 'ttl' | 'proxied'>>()
    const records = new Map<string, GeneratedRecord>()
    for (const { name, recordType, seed, ttl, proxied } of drawn) {
      const checked = checkValue(recordType, generateValue(recordType, new Random(seed)))
      if (!checked.ok) continue
      const key = rrsetKey({ name, type: recordType })
      const set = sets.get(key) ?? { ttl, proxied }
      sets.set(key, set)
      records.set(`${key} ${checked.value}`, { name, recordType, value: checked.value, ...set })
    }
    return [...records.values()]
  })
