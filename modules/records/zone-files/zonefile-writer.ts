import { proxiedComment } from '../../../dns/zone-file/master-file.ts'
import { writeSoa, type SoaData } from '../../../dns/zone-file/soa.ts'
import { RECORD_TYPES, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { splitLabels, writeName } from '../../../dns/wire/wire-name.ts'

export interface ExportedRecord {
  name: string
  recordType: RecordType
  value: string
  ttl: number | null
  proxied?: boolean | undefined
}

/** What is exported: canonical names and values. */
export interface ZoneFileInput {
  zone: string
  /** Seconds, for $TTL. */
  defaultTtl: number
  records: Iterable<ExportedRecord>
  /** As the provider had it when it was read last. */
  soa?: (SoaData & { ttl: number }) | null
  /** As last read from the provider. */
  disabled?: readonly ExportedRecord[]
  /** Disabled records. */
  routed?: readonly ExportedRecord[]
  /**
   * Records of routed RRsets, one of which the provider chooses per answer; a file can have only one RRset of
   * a name and type.
   */
  unmanaged?: readonly { name: string; type: string; ttl: number; value: string }[]
  /** Unmanaged records, in the provider's format. */
  generatedAt?: Date
}

/**
 * Writes a master file for BIND and others in ASCII: the apex first, then sorted by name from the right, so
 * that the records of a subdomain are together. Parsing it for the same zone gives the same records. Comments
 * list what it leaves out: disabled and unmanaged records, and an unknown SOA.
 */
export function formatZoneFile({
  zone,
  defaultTtl,
  records,
  soa = null,
  disabled = [],
  routed = [],
  unmanaged = [],
  generatedAt,
}: ZoneFileInput): string {
  const lines = inOrder(records).map((record) => `${lineOf(record)}\n`)
  const when = generatedAt === undefined ? '' : `, exported ${generatedAt.toISOString()}`
  return [
    `; Zone ${zone}, ${lines.length} records${when}\n`,
    ...(soa
      ? []
      : ["; There is no SOA: it is the DNS provider's own. A name server that loads this file needs one.\n"]),
    `$ORIGIN ${writeName(zone)}\n$TTL ${defaultTtl}\n`,
    ...(soa ? [`@\t${soa.ttl}\tIN\tSOA\t${writeSoa(soa)}\n`] : []),
    ...lines,
    ...leftOutOf({ disabled, routed, unmanaged }).map((line) => `; ${line}`),
  ].join('')
}

/** Comment lines for records that a file can't hold. */
const leftOutOf = ({
  disabled = [],
  routed = [],
  unmanaged = [],
}: Pick<ZoneFileInput, 'disabled' | 'routed' | 'unmanaged'>): string[] => [
  ...leftOut('disabled', inOrder(disabled).map(lineOf)),
  ...leftOut('answered by line, weight or region', inOrder(routed).map(lineOf)),
  ...leftOut(
    'not managed here',
    unmanaged.map(({ name, type, ttl, value }) => `${name}\t${ttl}\tIN\t${type}\t${value}`),
  ),
]

function inOrder(records: Iterable<ExportedRecord>): ExportedRecord[] {
  const keyed = Array.from(records, (record) => ({ record, key: sortKey(record.name) }))
  keyed.sort(
    (a, b) =>
      compare(a.key, b.key) ||
      rank(a.record.recordType) - rank(b.record.recordType) ||
      compare(a.record.value, b.record.value),
  )
  return keyed.map(({ record }) => record)
}

const lineOf = ({ name, ttl, recordType, value, proxied }: ExportedRecord): string =>
  `${name}\t${ttl ?? ''}\tIN\t${recordType}\t${typeOf(recordType).write(value)}${proxied ? `\t${proxiedComment(true)}` : ''}`

const leftOut = (why: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [`Left out, as they are ${why}: ${lines.length} records\n`, ...lines.map(oneLine)]

/** On one line, even if the provider's text has several. */
const oneLine = (text: string): string => `${text.replace(/[^\t -~]/g, '?')}\n`

/** Types without a name come last. */
const rank = (type: RecordType): number => RANKS.get(type) ?? RANKS.size

const RANKS = new Map<RecordType, number>(RECORD_TYPES.map((type, at) => [type, at]))

/** The labels from the right, so that sorting follows the tree; the apex is empty. */
const sortKey = (name: string): string => (name === '@' ? '' : splitLabels(name).toReversed().join('\0'))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
