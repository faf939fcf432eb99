import { toMailAddress } from '../../../dns/names/mailbox.ts'
import { readSoa } from '../../../dns/zone-file/soa.ts'
import { AppError, forbidden } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { GrantedDomain } from '../../domains/access/access.ts'
import { changeDnssec, readDnssec } from '../../domains/zone-settings/dnssec.ts'
import { changeSoa } from '../../domains/zone-settings/soa.ts'
import type { RecordContext } from '../../records/service.ts'
import { missing, refused } from './errors.ts'
import { visibleZones } from './queries.ts'
import { membersOf, text, type GivenRRset, type Members } from './rrset-body.ts'
import type { Signing } from './provider-state.ts'
import { toListedZone } from './zone-view.ts'

const KINDS = new Set(['NATIVE', 'MASTER', 'PRIMARY'])

/**
 * Throws a 422 for settings of PowerDNS that the zone of a DNS provider does not have. Those that ask for what is so anyway
 * are accepted: the provider notifies its secondaries, raises the serial and keeps signatures in order.
 */
export function requirePlain(members: Members): void {
  const { masters, soa_edit_api: serial = '', nsec3narrow } = members
  if (Array.isArray(masters) && masters.length > 0)
    throw refused('masters: zones are not transferred from other servers here; send no masters')
  for (const key of ['catalog', 'nsec3param', 'soa_edit'] as const)
    if ((members[key] ?? '') !== '')
      throw refused(`${key}: a setting of PowerDNS that zones do not have here; leave it empty`)
  if (serial !== '' && serial !== null && serial !== 'DEFAULT')
    throw refused('soa_edit_api: the DNS provider raises the serial in its own way; use DEFAULT')
  for (const key of ['master_tsig_key_ids', 'slave_tsig_key_ids'] as const) {
    const value = members[key]
    if (Array.isArray(value) && value.length > 0) throw refused(`${key}: zones have no TSIG keys here`)
  }
  if (nsec3narrow === true) throw refused('nsec3narrow: the DNS provider decides how it signs')
}

/** Throws a 422 for kinds that get their records from elsewhere. */
export function requireKind({ kind = 'Native' }: Members, kinds: ReadonlySet<string> = KINDS): void {
  if (!kinds.has(String(kind).toUpperCase()))
    throw refused(`kind: ${String(kind).slice(0, 50)} zones are not supported here; use Native`)
}

const NATIVE = new Set(['NATIVE'])

/** Changes the settings of a zone: only signing can change. What can't be done is refused, never stored without effect. */
export async function changeZone(
  context: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
  body: unknown,
  signing: Signing,
): Promise<void> {
  const members = membersOf(body)
  requireKind(members, NATIVE)
  requirePlain(members)
  if (Array.isArray(members['rrsets']) && members['rrsets'].length > 0)
    throw refused('rrsets: change RRsets with PATCH')
  const [row] = await visibleZones(context.db, caller, { id: zone.id, limit: 1 })
  if (!row) throw missing()
  const { account, dnssec } = members
  const isSame = account === '' || account === toListedZone(row, caller, {}).account
  if (account !== undefined && account !== null && !isSame)
    throw refused(
      'account: is the provider connection; another one serves the zone after a switch in the console',
    )
  if (typeof dnssec !== 'boolean') return
  const canShow = context.providerRegistry.byKey(row.provider).capabilities.dnssec !== 'none'
  if (!canShow && !dnssec) return
  if (!canShow) throw refused('dnssec: the DNS provider does not offer signing through its API')
  await changeDnssec(context, caller, zone.id, { signed: dnssec }).catch(inWords)
  signing.forget(zone.id)
}

/**
 * Changes the SOA at the DNS provider, which raises the serial itself. Needs the permission that settings of a domain need.
 */
export async function changeZoneSoa(
  context: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
  { title, kind, contents, ttl }: Pick<GivenRRset, 'title' | 'kind' | 'contents' | 'ttl'>,
): Promise<void> {
  if (caller.token && !caller.token.permissions.includes('domains:write'))
    throw forbidden(`RRset ${title}: to change the SOA, the token needs the permission domains:write`)
  const [content, ...more] = contents
  const read = content === undefined || more.length > 0 ? null : readSoa(content)
  if (kind !== 'REPLACE' || read === null)
    throw refused(`RRset ${title}: must be replaced by exactly one valid SOA`)
  const { primary, mailbox, refresh, retry, expire, minimum } = read
  const input = { primary, mail: toMailAddress(mailbox), refresh, retry, expire, minimum }
  await changeSoa(context, caller, zone.id, { ...input, ...(ttl !== undefined && { ttl }) }).catch(inWords)
}

/** Names of algorithms of DS records, as PowerDNS shows them. */
const ALGORITHMS: Record<string, string> = {
  5: 'RSASHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  8: 'RSASHA256',
  10: 'RSASHA512',
  13: 'ECDSAP256SHA256',
  14: 'ECDSAP384SHA384',
  15: 'ED25519',
  16: 'ED448',
}

/**
 * The keys that the DNS provider signs with, as far as its DS records tell: the id is the key tag. Keys themselves and their
 * sizes are not shown.
 */
export async function listKeys(context: RecordContext, caller: Caller, zone: GrantedDomain) {
  const capabilities = context.providerRegistry.byId(zone.provider_id)?.capabilities
  if (capabilities?.dnssec === 'none') return []
  const { signed, ds } = await readDnssec(context, caller, zone.id)
  if (!signed) return []
  const byTag = Map.groupBy(ds, ({ value }) => value.split(' ', 2).join(' '))
  return [...byTag].map(([key, records]) => {
    const [tag = '', algorithm = ''] = key.split(' ')
    return {
      active: true,
      algorithm: ALGORITHMS[algorithm] ?? algorithm,
      ds: records.map(({ value }) => value),
      id: Number(tag),
      keytype: 'ksk',
      published: true,
      type: 'Cryptokey',
    }
  })
}

export async function readKey(context: RecordContext, caller: Caller, zone: GrantedDomain, id: string) {
  const key = (await listKeys(context, caller, zone)).find((one) => String(one.id) === id)
  if (!key) throw missing()
  return key
}

/** Starts signing, with keys that the DNS provider makes. Returns the first. */
export async function addKey(
  context: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
  body: unknown,
  signing: Signing,
) {
  const members = membersOf(body)
  text(members, 'keytype')
  if (members['active'] !== true)
    throw refused("Key 'active': the DNS provider signs with its keys at once; send true")
  for (const key of ['content', 'privatekey', 'bits', 'algorithm'] as const)
    if (members[key] !== undefined && members[key] !== null)
      throw refused(`${key}: the DNS provider makes its own keys; leave it out`)
  if ((await listKeys(context, caller, zone)).length > 0) throw refused('The zone is signed already')
  await changeDnssec(context, caller, zone.id, { signed: true }).catch(inWords)
  signing.forget(zone.id)
  const [key] = await listKeys(context, caller, zone)
  return key ?? { active: true, id: 0, keytype: 'ksk', published: true, type: 'Cryptokey', ds: [] }
}

/** A provider that can't sign is neither a conflict nor a missing zone. */
function inWords(error: unknown): never {
  const isUnable = error instanceof AppError && (error.status === 404 || error.status === 409)
  throw isUnable ? refused(error.message) : error
}
