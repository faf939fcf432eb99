import fc from 'fast-check'
import t from 'tap'
import { readOctodns } from '../../clients/cli/octodns/reader.ts'
import { writeOctodns } from '../../clients/cli/octodns/writer.ts'
import { formatZoneFile } from '../../modules/records/zone-files/zonefile-writer.ts'
import { parseZoneFile, type ZoneFile } from '../../modules/records/zone-files/zonefile.ts'
import { zones, type GeneratedRecord } from '../helpers/generated-zones.ts'

/* Any zone, written in either form, is read as it was. A failure prints its seed. */
const zone = 'example.com'
const shown = ({ name, recordType, value, ttl, proxied = false }: Partial<GeneratedRecord>) =>
  `${name} ${ttl} ${recordType} ${value} ${proxied}`
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

void t.test("octoDNS YAML, from the service's zone file and back", () =>
  fc.assert(
    fc.asyncProperty(zones, async (records) => {
      const text = writeOctodns(formatZoneFile({ zone, defaultTtl: 3600, records }), zone)
      const { zonefile, ...faults } = readOctodns(text, zone)
      t.same(faults, { skipped: [], errors: [] })
      t.same(lines(await parseZoneFile(zonefile, zone)), records.map(shown).toSorted(), text)
      t.equal(writeOctodns(zonefile, zone), text)
    }),
    { numRuns: 50 },
  ),
)
