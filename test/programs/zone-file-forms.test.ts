import fc from 'fast-check'
import t from 'tap'
import { parseOctodns } from '../../modules/records/zone-files/octodns.ts'
import { formatOctodns } from '../../modules/records/zone-files/octodns-writer.ts'
import { formatZoneFile } from '../../modules/records/zone-files/zonefile-writer.ts'
import { parseZoneFile, type ZoneFile } from '../../modules/records/zone-files/zonefile.ts'
import { zones, type GeneratedRecord } from '../helpers/generated-zones.ts'

/* Whatever zone is written, in either form, is read as what it was. A failure prints its seed. */
const zone = 'example.com'
const shown = ({ name, recordType, value, ttl }: Omit<GeneratedRecord, 'proxied'>) =>
  `${name} ${ttl} ${recordType} ${value}`
const lines = ({ records, errors, skipped }: ZoneFile) => {
  t.same([errors, skipped], [[], []])
  return records.map(shown).toSorted()
}

void t.test('master files', () =>
  fc.assert(
    fc.asyncProperty(zones, async (records) => {
      const text = formatZoneFile({ zone, defaultTtl: 3600, records })
      const usual = records.map((record) => shown({ ...record, ttl: record.ttl ?? 3600 }))
      t.same(lines(await parseZoneFile(text, zone)), usual.toSorted(), text)
    }),
    { numRuns: 50 },
  ),
)

void t.test("octoDNS' YAML", () =>
  fc.assert(
    fc.asyncProperty(zones, async (records) => {
      const text = await formatOctodns({ zone, defaultTtl: 3600, records })
      const read = await parseOctodns(text, zone)
      t.same(lines(read), records.map(shown).toSorted(), text)
      t.same(
        read.records.map(({ proxied, ...record }) => `${proxied} ${shown(record)}`).toSorted(),
        records.map(({ proxied, ...record }) => `${proxied} ${shown(record)}`).toSorted(),
      )
    }),
    { numRuns: 50 },
  ),
)
