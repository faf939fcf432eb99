import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { checkValue, typeOf } from '../../dns/types/index.ts'
import { formatZoneFile } from '../../modules/records/zone-files/zonefile-writer.ts'
import { parseZoneFile } from '../../modules/records/zone-files/zonefile.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { generateValues } from '../dns/generate.ts'
import { zones } from '../helpers/generated-zones.ts'

/* Our zone files are read by BIND as we mean them, and we read what BIND writes. */
const run = promisify(execFile)
const home = await mkdtemp(path.join(tmpdir(), 'zonekeeper-bind-'))
t.teardown(() => rm(home, { recursive: true, force: true }))

interface Entry {
  name: string
  recordType: RecordType
  value: string
  ttl: number
}

const APEX = '@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 3600\n'

/** What `named-compilezone` makes of the text, one record a line, names in full. */
async function compile(text: string): Promise<string> {
  const [from, to] = [path.join(home, 'in.zone'), path.join(home, 'out.zone')]
  const [head = '', ...lines] = text.split(/(?<=\$TTL \d+\n)/)
  await writeFile(from, [head, APEX, ...lines].join(''))
  const lenient = [
    '-i',
    'none',
    '-k',
    'ignore',
    '-m',
    'ignore',
    '-M',
    'ignore',
    '-n',
    'ignore',
    '-S',
    'ignore',
  ]
  await run('named-compilezone', [...lenient, '-s', 'full', '-o', to, 'example.com', from]).catch(
    (error: { stdout?: string; message: string }) => {
      throw new Error(error.stdout ?? error.message)
    },
  )
  return (await run('cat', [to], { maxBuffer: 64 * 1024 * 1024 })).stdout
}

const shown = ({ name, recordType, value, ttl }: Entry) => `${name} ${ttl} ${recordType} ${value}`

async function isTheSame(t: { same: (a: unknown, b: unknown) => unknown }, records: Entry[]) {
  const apexNs: Entry = { name: '@', recordType: 'NS', value: 'ns1.example.net', ttl: 3600 }
  const all = [apexNs, ...records]
  const compiled = await compile(formatZoneFile({ zone: 'example.com', defaultTtl: 3600, records: all }))
  const { records: read, errors } = await parseZoneFile(compiled, 'example.com')
  t.same(errors, [])
  t.same(read.map((record) => shown({ ...record, ttl: record.ttl ?? -1 })).sort(), all.map(shown).sort())
}

void t.test('values that users may write', async (t) => {
  const records: Entry[] = []
  for (const { type, value } of generateValues(6600, 11)) {
    // A provider's own, which no zone file of BIND has.
    if (type === 'ALIAS' || type === 'ANAME') continue
    const check = checkValue(type, value)
    if (check.ok) records.push({ name: `n${records.length}`, recordType: type, value: check.value, ttl: 300 })
  }
  t.ok(records.length > 5000)
  await isTheSame(t, records)
})

/** Their place says what else may be there, and BIND refuses what should not; each by itself is in the test above. */
const PLACED = new Set<RecordType>([
  'ALIAS',
  'ANAME',
  'CDNSKEY',
  'CDS',
  'CSYNC',
  'DNAME',
  'DNSKEY',
  'DS',
  'NS',
  'ZONEMD',
])

void t.test('whole zones, with several sets at a name', (t) =>
  fc.assert(
    fc.asyncProperty(zones, async (drawn) => {
      const known = drawn.filter(({ recordType }) => !PLACED.has(recordType))
      const names = Map.groupBy(known, ({ name }) => name)
      const records = [...names.values()].flatMap((all) => {
        // It is alone; at the apex are SOA and NS.
        const others = all.filter(({ recordType }) => recordType !== 'CNAME')
        return others.length > 0 || all[0]?.name === '@' ? others : all.slice(0, 1)
      })
      await isTheSame(
        t,
        records.map((record) => ({ ...record, ttl: record.ttl ?? 3600 })),
      )
    }),
    { numRuns: 8 },
  ),
)

void t.test('what is there although it would be refused from a user', async (t) => {
  const held: [string, RecordType, string, number][] = [
    ['_imap._tcp', 'SRV', '0 0 0 .', 300],
    ['tbs', 'CAA', '0 tbs "x"', 300],
    ['empty', 'CAA', '0 issue ""', 300],
    ['mail', 'MX', '20 localhost.', 300],
    ['sub', 'NS', '.', 300],
    ['5', 'CNAME', '5.0/25.2.0.192.in-addr.arpa.', 300],
    ['0/25', 'NS', 'ns1.example.net.', 300],
    ['-x', 'A', '192.0.2.1', 0],
    ['semi\\;x', 'A', '192.0.2.1', 300],
    ['quo\\"te', 'A', '192.0.2.1', 300],
    ['dot\\.ted', 'A', '192.0.2.1', 300],
    ['sp\\032ace.\\255', 'CNAME', 'a\\(b\\).example.net.', 300],
    ['\\@', 'A', '192.0.2.1', 300],
    ['\\$ttl', 'A', '192.0.2.1', 300],
    ['www.example.com', 'A', '192.0.2.9', 300],
    ['a.*', 'A', '192.0.2.9', 300],
    ['m', 'AAAA', '::ffff:192.0.2.1', 300],
    ['void', 'TXT', '""', 300],
    ['two', 'TXT', '"" ""', 300],
    ['binary', 'TXT', '"caf\\233\\000"', 300],
    ['strings', 'TXT', '"txtvers=1" "qtotal=1"', 300],
  ]
  const records = held.map(([name, recordType, data, ttl]): Entry => {
    const value = typeOf(recordType).read(data)
    if (value === null) throw new Error(`${recordType} ${data} is not read`)
    return { name, recordType, value, ttl }
  })
  await isTheSame(t, records)
})
