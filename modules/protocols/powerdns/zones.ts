import { relativeName } from '../../../dns/names/names.ts'
import { readType } from '../../../dns/types/index.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { preconditionFailed } from '../../../plugins/http/if-match.ts'
import { takeSlices } from '../../../plugins/http/event-loop.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordScopeOf, seesAllRecords, type GrantedDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../../records/service.ts'
import { missing } from './errors.ts'
import { servedRows, visibleZones, type ZoneRow } from './queries.ts'
import { writeJson } from './rules.ts'
import type { Signing } from './provider-state.ts'
import { meantAmong, readCanonical, severalZones, zoneOfId } from './zone-ids.ts'
import { rrsetsJson, soaOf, toListedZone, toZone } from './zone-view.ts'

/** Zones in one list, which has no pages. */
const MAX_ZONES = 20_000
/** Namesakes among which none may precede the others. */
const MAX_NAMESAKES = 10

/** Returns the zones as JSON, or the one with that name. Names that mean several domains to the caller are left out. */
export async function listZones(
  { db, providerRegistry }: RecordContext,
  caller: Caller,
  { zone, isBrief, signing }: { zone: string | undefined; isBrief: boolean; signing: Signing },
): Promise<string> {
  const name = zone === undefined ? null : readCanonical(zone)
  const rows = await visibleZones(
    db,
    caller,
    name === null ? { limit: MAX_ZONES + 1 } : { name, limit: MAX_NAMESAKES },
  )
  if (rows.length > MAX_ZONES) throw tooManyZones()
  const slice = takeSlices()
  const texts: string[] = []
  for (const namesakes of Map.groupBy(rows, (row) => row.name).values()) {
    const [meant, other] = meantAmong(namesakes, caller)
    if (meant && other && name !== null) throw severalZones(name, meant.id, other.id)
    if (meant && !other) {
      const dnssec = signing.known({ id: meant.id, canSign: canSign(providerRegistry, meant) })
      texts.push(writeJson(toListedZone(meant, caller, { isBrief, ...(dnssec !== undefined && { dnssec }) })))
    }
    await slice()
  }
  return `[${texts.join(', ')}]`
}

const tooManyZones = () =>
  new AppError(
    403,
    'forbidden',
    `This token covers more than ${MAX_ZONES} zones; ask for one with ?zone=, or restrict the token`,
  )

export interface ZoneQuery {
  /** Whether the answer has the RRsets. */
  rrsets: boolean
  /** Only those of this name, and of this type. */
  rrsetName?: string | undefined
  rrsetType?: string | undefined
  includeDisabled: boolean
  signing: Signing
}

/** A zone as JSON, with the version of the records that the caller sees, or an older one. */
interface ShownZone {
  text: string
  version: number
}

/** Returns a zone with the RRsets that the caller sees. */
export async function readZone(
  context: RecordContext,
  caller: Caller,
  id: string,
  query: ZoneQuery,
): Promise<ShownZone> {
  return showZone(context, caller, await zoneOfId(context.db, caller, id), query)
}

export async function showZone(
  context: RecordContext,
  caller: Caller,
  domain: GrantedDomain,
  { rrsets, rrsetName, rrsetType, includeDisabled, signing }: ZoneQuery,
): Promise<ShownZone> {
  const { db, providerRegistry } = context
  const [row] = await visibleZones(db, caller, { id: domain.id, limit: 1 })
  if (!row) throw missing()
  const [dnssec, texts] = await Promise.all([
    signing.read(context, caller, { id: row.id, canSign: canSign(providerRegistry, row) }),
    rrsets ? rrsetTexts(db, caller, { domain, row }, { rrsetName, rrsetType, includeDisabled }) : null,
  ])
  const zone = writeJson(toZone(row, caller, dnssec === undefined ? {} : { dnssec }))
  const text = texts === null ? zone : withRRsets(zone, texts)
  return { text, version: row.version }
}

/** Rejects with 412 unless the records that the caller sees are at one of the versions. */
export async function requireZoneVersion(
  { db }: RecordContext,
  caller: Caller,
  { id, name }: GrantedDomain,
  versions: readonly number[],
): Promise<void> {
  const [row] = await visibleZones(db, caller, { id, limit: 1 })
  if (!row || !versions.includes(row.version))
    throw preconditionFailed(`The records of ${name} have changed since the version in \`If-Match\``)
}

/** Puts RRsets into a zone's JSON where the alphabet has them; quotation marks in texts are escaped. */
function withRRsets(zone: string, texts: readonly string[]): string {
  const at = zone.indexOf('"serial": ')
  return `${zone.slice(0, at)}"rrsets": [${texts.join(', ')}], ${zone.slice(at)}`
}

const canSign = (providers: RecordContext['providerRegistry'], { provider }: ZoneRow): boolean =>
  providers.byKey(provider).capabilities.dnssec !== 'none'

async function rrsetTexts(
  db: RecordContext['db'],
  caller: Caller,
  { domain, row }: { domain: GrantedDomain; row: ZoneRow },
  { rrsetName, rrsetType, includeDisabled }: Omit<ZoneQuery, 'rrsets' | 'signing'>,
): Promise<string[]> {
  const scope = recordScopeOf(domain, caller)
  const name = rrsetName === undefined ? undefined : relativeName(readCanonical(rrsetName), domain.name)
  if (name === null) return []
  // As in PowerDNS, a type without a name is not a filter.
  const type = name === undefined || rrsetType === undefined ? undefined : rrsetType.toUpperCase()
  const rows = await servedRows(db, domain.id, scope, {
    name,
    type: type === undefined ? undefined : (readType(type) ?? type),
  })
  const isAtApex = (name === undefined || name === '@') && (type === undefined || type === 'SOA')
  const soa = isAtApex && seesAllRecords(scope) ? soaOf(row) : null
  const shown = includeDisabled ? rows : rows.filter(({ enabled }) => enabled)
  return [...(soa ? [writeJson(soa)] : []), ...(await rrsetsJson(shown, row))]
}
