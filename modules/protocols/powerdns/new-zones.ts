import { readName } from '../../../dns/wire/wire-name.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain, type GrantedDomain } from '../../domains/access/access.ts'
import { createDomain, removeDomain } from '../../domains/service.ts'
import type { RecordContext } from '../../records/service.ts'
import { refused } from './errors.ts'
import { usableConnections } from './queries.ts'
import { membersOf, readNewRRsets, text, type GivenRRset, type Members } from './rrset-body.ts'
import { changeRRsets } from './rrset-changes.ts'
import { meantAmong, readCanonical } from './zone-ids.ts'
import { requireKind, requirePlain } from './zone-settings.ts'

/** More are not offered by name. */
const MAX_CONNECTIONS = 1_000

/**
 * Creates a zone at a DNS provider and registers it, with its records. `account` names the provider connection; it may be
 * missing if the caller has only one. If the records are refused, the zone is deleted again.
 */
export async function createZone(
  context: RecordContext & { newDomains: { read: (caller: Caller, domainId: string) => Promise<void> } },
  caller: Caller,
  body: unknown,
): Promise<GrantedDomain> {
  const members = membersOf(body)
  const name = readCanonical(text(members, 'name'))
  requirePossible(members)
  const { id: providerConfigId, provider } = await connectionFor(context, caller, members)
  const { capabilities } = context.providerRegistry.byKey(provider)
  const nameServers = nameServersIn(members)
  if (nameServers.length > 0 && !capabilities.apexNs)
    throw refused('The DNS provider assigns its own name servers; send "nameservers": []')
  const rrsets = rrsetsOf(members, name, nameServers, capabilities.defaultTtl)
  if (rrsets.some(({ type }) => type === null))
    throw refused('The DNS provider makes the SOA; create the zone without it')
  const { id } = await createDomain(context, caller, {
    name,
    providerConfigId,
    createZone: true,
    onlyNew: true,
    ...(nameServers.length > 0 && { nameServers: nameServers.map((server) => readName(server) ?? server) }),
  })
  await context.newDomains.read(caller, id)
  const zone = await requireDomain(context.db, caller, id, 'read')
  try {
    if (rrsets.length > 0) await changeRRsets(context, caller, zone, rrsets)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // After a failure of the provider, part of the records may be there.
    if (error.status >= 500 || !capabilities.deleteZone) throw created(error)
    await removeDomain(context, caller, id, { deleteZone: true })
    throw error
  }
  return zone
}

/** The error of records that are missing in a zone which stays. */
const created = ({ status, code, message, headers, extra, cause }: AppError) =>
  new AppError(status, code, `The zone was created, but not all of its records: ${message}`, {
    extra,
    headers,
    cause,
  })

/** Throws a 422 for what a new zone of a DNS provider can't be. */
function requirePossible(members: Members): void {
  const { dnssec = false, zone = '' } = members
  requireKind(members)
  requirePlain(members)
  if (dnssec === true) throw refused('dnssec: create the zone first, then enable signing with PUT')
  // Some clients repeat the name there.
  if (typeof zone === 'string' && /\s/.test(zone)) throw refused('zone: send the records as rrsets')
}

/** The connection that `account` names: of the caller before those of others, which administrators must name. */
async function connectionFor({ db }: RecordContext, caller: Caller, { account }: Members) {
  const connections = await usableConnections(db, caller, MAX_CONNECTIONS)
  const own = connections.filter(({ owner_id: owner }) => owner === caller.userId)
  const isNamed = account !== undefined && account !== null && account !== ''
  const meant = isNamed
    ? meantAmong(
        connections.filter(({ name }) => name === account),
        caller,
      )
    : own
  const [one, other] = meant
  if (one && !other) return one
  if (connections.length === 0) throw refused('You have no provider connection to create zones with')
  const names = (own.length > 0 ? own : connections).slice(0, 20).map(({ name }) => name)
  throw refused(`account: must be the name of one of your provider connections: ${names.join(', ')}`)
}

function nameServersIn({ nameservers = [] }: Members): string[] {
  if (nameservers === null) return []
  if (!Array.isArray(nameservers)) throw refused("Key 'nameservers' is not an Array")
  return nameservers.map((server) => {
    if (typeof server !== 'string' || !server.endsWith('.') || readName(server) === null)
      throw refused(`Nameserver is not canonical: '${String(server).slice(0, 300)}'`)
    return server
  })
}

function rrsetsOf(members: Members, zone: string, nameServers: string[], ttl: number): GivenRRset[] {
  const { rrsets = [] } = members
  if (rrsets !== null && !Array.isArray(rrsets)) throw refused("Key 'rrsets' is not an Array")
  const given = readNewRRsets(rrsets ?? [], zone)
  if (nameServers.length === 0) return given
  if (given.some(({ name, type }) => name === '@' && type === 'NS'))
    throw refused('Nameservers list MUST NOT be mixed with zone-level NS in rrsets')
  const records = nameServers.map((content) => ({ content, disabled: false }))
  return [...given, ...readNewRRsets([{ name: `${zone}.`, type: 'NS', ttl, records }], zone)]
}
