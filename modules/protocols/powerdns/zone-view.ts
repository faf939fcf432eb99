import { absoluteName } from '../../../dns/names/names.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { writeName } from '../../../dns/wire/wire-name.ts'
import { writeSoa } from '../../../dns/zone-file/soa.ts'
import { takeSlices } from '../../../plugins/http/event-loop.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { isSufficient } from '../../domains/access/access.ts'
import type { ServedRow, ZoneRow } from './queries.ts'
import { writeJson } from './rules.ts'
import { zoneIdOf } from './zone-ids.ts'

export const SERVER_PATH = '/api/v1/servers/localhost'

/** What the object of a zone says about signing. */
export interface ShownSigning {
  /** Whether the DNS provider signs the zone; missing: not asked yet, or without an answer. */
  dnssec?: boolean
  /** Without the fields that a caller leaves out for speed. */
  isBrief?: boolean
}

/** The object of a zone in lists. */
export function toListedZone(row: ZoneRow, principal: Principal, { dnssec, isBrief }: ShownSigning) {
  const id = zoneIdOf(row.name)
  const serial = row.soa?.serial ?? row.version
  return {
    account: accountOf(row, principal),
    catalog: '',
    ...(dnssec !== undefined && !isBrief && { dnssec }),
    ...(!isBrief && { edited_serial: serial }),
    id,
    kind: 'Native',
    last_check: 0,
    masters: [],
    name: writeName(row.name),
    notified_serial: 0,
    serial,
    url: `${SERVER_PATH}/zones/${id}`,
  }
}

/** The account is the provider connection, for those who manage the domain. */
const accountOf = (row: ZoneRow, principal: Principal): string =>
  isSufficient(row, principal, 'manage') ? row.connection : ''

/** The object of a single zone, without its RRsets. */
export const toZone = (row: ZoneRow, principal: Principal, signing: ShownSigning) => ({
  ...toListedZone(row, principal, signing),
  api_rectify: false,
  master_tsig_key_ids: [],
  nsec3narrow: false,
  nsec3param: '',
  slave_tsig_key_ids: [],
  soa_edit: '',
  soa_edit_api: 'DEFAULT',
})

/** The SOA as an RRset, as it was read last; null if the DNS provider does not show it. */
export const soaOf = ({ name, soa }: Pick<ZoneRow, 'name' | 'soa'>) =>
  soa && {
    comments: [],
    name: writeName(name),
    records: [{ content: writeSoa(soa), disabled: false }],
    ttl: soa.ttl,
    type: 'SOA',
  }

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)

export const contentOf = ({ type, value }: { type: string; value: string }): string =>
  typeOf(type as RecordType).write(value)

/** Consecutive records of one name and type as an RRset. A record has one comment here; an RRset shows each text once. */
function toRRset(rows: readonly ServedRow[], { name: zone, default_ttl: usual }: ZoneRow) {
  const { name, type, ttl } = rows[0] as ServedRow
  const comments = new Map<string, number>()
  for (const { comment, updated_at: at } of rows)
    if (comment !== '') comments.set(comment, Math.max(comments.get(comment) ?? 0, secondsOf(at)))
  return {
    comments: [...comments].map(([content, modified]) => ({ account: '', content, modified_at: modified })),
    name: writeName(absoluteName(name, zone)),
    records: rows.map((row) => ({ content: contentOf(row), disabled: !row.enabled })),
    // Where the provider chooses, the usual TTL of the domain.
    ttl: ttl ?? usual,
    type,
  }
}

/** The RRsets as JSON, serialized in slices because a zone may have many. */
export async function rrsetsJson(rows: readonly ServedRow[], zone: ZoneRow): Promise<string[]> {
  const slice = takeSlices()
  const texts: string[] = []
  for (let at = 0; at < rows.length;) {
    const { name, type } = rows[at] as ServedRow
    let end = at + 1
    while (rows[end]?.name === name && rows[end]?.type === type) end++
    texts.push(writeJson(toRRset(rows.slice(at, end), zone)))
    at = end
    await slice()
  }
  return texts
}
