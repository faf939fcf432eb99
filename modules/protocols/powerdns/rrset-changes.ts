import { CHALLENGE_LABEL } from '../acme/challenge.ts'
import { readSoa } from '../../../dns/zone-file/soa.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import { conflict, forbidden } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { mayChange, recordScopeOf, seesRecord, type GrantedDomain } from '../../domains/access/access.ts'
import { nearestTtl } from '../../domains/service.ts'
import type { Capabilities } from '../../providers/contract.ts'
import {
  adoptSets,
  applyChanges,
  asTheyAre,
  ChangesRefused,
  expandSets,
  planOutdated,
  recordsOfNames,
  requireApplied,
  type RecordContext,
  type RecordRow,
  type RequestedChange,
  type SetChange,
} from '../../records/service.ts'
import { refused } from './errors.ts'
import type { GivenRRset } from './rrset-body.ts'
import { changeZoneSoa } from './zone-settings.ts'

type Change = RequestedChange | SetChange

/**
 * Changes RRsets of a zone in one plan: all, or none if one of them is refused. Resolves when the DNS provider has them.
 * Rejects with 422 for what is refused, 403 without permission, 409 if the change needs a review, and 5xx if the provider
 * failed, which then may have made a part of the changes; the request can be repeated. Returns whether anything was to do.
 * `ifVersions`: versions of the zone's records that the changes are meant for; 412 for any other.
 */
export async function changeRRsets(
  context: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
  given: readonly GivenRRset[],
  { ifVersions }: { ifVersions?: number[] | undefined } = {},
): Promise<{ isChanged: boolean }> {
  const rrsets = given.filter((rrset) => rrset.type !== null || !isSameSoa(rrset, zone))
  const soa = rrsets.find(({ type }) => type === null)
  if (soa && rrsets.length > 1)
    throw refused(
      `RRset ${soa.title}: the SOA is not changed together with others; send it in a request of its own`,
    )
  if (soa) {
    await changeZoneSoa(context, caller, zone, soa)
    return { isChanged: true }
  }
  return asTheyAre(async () => {
    const { changes, origins } = await changesFor(context, caller, zone, rrsets as ManagedRRset[])
    const expanded = await expandSets(context, caller, zone.id, changes)
    const intent = {
      kind: 'requests',
      source: 'apply',
      ...expanded,
      origins: expanded.origins.map((at) => origins[at] ?? at),
    } as const
    const applied = await applyChanges(context, caller, zone.id, intent, { ifVersions }).catch(
      (error: unknown) => {
        if (!(error instanceof ChangesRefused)) throw error
        throw isOvertaken(error, rrsets) ? planOutdated() : inWords(error, rrsets)
      },
    )
    return { isChanged: requireApplied(applied).changeId !== null }
  })
}

/** Whether somebody else has just added or removed the same record: then there is nothing left to do. */
const isOvertaken = ({ refusals }: ChangesRefused, rrsets: readonly GivenRRset[]): boolean =>
  refusals.some(({ index, kind, code }) => {
    const change = rrsets[index]?.kind
    return (change === 'EXTEND' && code === 'exists') || (change === 'PRUNE' && kind === 'not_found')
  })

type ManagedRRset = GivenRRset & { type: NonNullable<GivenRRset['type']> }

/** Whether an SOA is that of the zone except for its serial, which the DNS provider raises. */
function isSameSoa({ kind, contents, ttl }: GivenRRset, { soa }: Pick<GrantedDomain, 'soa'>): boolean {
  const [content, ...more] = contents
  if (kind !== 'REPLACE' || content === undefined || more.length > 0 || soa === null) return false
  const read = readSoa(content)
  const fields = ['primary', 'mailbox', 'refresh', 'retry', 'expire', 'minimum'] as const
  return read !== null && fields.every((field) => read[field] === soa[field]) && (ttl ?? soa.ttl) === soa.ttl
}

/** Returns the changes that the RRsets come to, with the position of the RRset that each belongs to. */
async function changesFor(
  context: RecordContext,
  caller: Caller,
  zone: GrantedDomain,
  rrsets: readonly ManagedRRset[],
): Promise<{ changes: Change[]; origins: number[] }> {
  const scope = recordScopeOf(zone, caller)
  // Also where there is nothing to change: whether a record exists is not for everyone to know.
  const denied = rrsets.find((rrset) => !mayChange(scope, rrset))
  if (denied)
    throw forbidden(`RRset ${denied.title}: your permission or this token does not allow to change it`)
  // A value that only the provider holds is stored first, so that it can be removed.
  const pruned = rrsets.filter((rrset) => rrset.kind === 'PRUNE')
  await adoptSets(
    context,
    zone,
    pruned.map(({ name, type }) => ({ name, type })),
  )
  const names = [...new Set(rrsets.map(({ name }) => name))]
  const rows = await recordsOfNames(context.db, zone.id, names)
  const here = Map.groupBy(
    rows.filter((row) => !row.deleting && seesRecord(scope, row)),
    ({ name, type }) => rrsetKey({ name, type }),
  )
  const { capabilities } = context.providerRegistry.byId(zone.provider_id) ?? {}
  const changes: Change[] = []
  const origins: number[] = []
  for (const [at, rrset] of rrsets.entries()) {
    const its = changesOf(rrset, here.get(rrsetKey(rrset)) ?? [], { zone, capabilities })
    changes.push(...its)
    origins.push(...its.map(() => at))
  }
  return { changes, origins }
}

interface Place {
  zone: GrantedDomain
  capabilities: Capabilities | undefined
}

function changesOf(rrset: ManagedRRset, rows: readonly RecordRow[], place: Place): Change[] {
  const routed = rows.some(({ routing }) => routing !== null)
  if (routed)
    throw conflict(
      `RRset ${rrset.title} is answered by line, weight or region, which PowerDNS does not know; change it in the console`,
      { reason: 'conflict', params: { name: rrset.name, recordType: rrset.type } },
    )
  const ttl = ttlOf(rrset, rows, place)
  const shared = { ...(ttl !== undefined && { ttl }) }
  const recordType = rrset.type
  const name = fullName(rrset, place)
  const [first] = rrset.records ?? []
  if (rrset.kind === 'EXTEND' && first) {
    const same = rows.find(({ value }) => value === first.value)
    if (same)
      return same.enabled === !first.disabled
        ? []
        : [{ action: 'update', recordId: same.id, enabled: !first.disabled }]
    const { value, disabled } = first
    return [{ action: 'create', recordType, name, value, ...(disabled && { enabled: false }), ...shared }]
  }
  if (rrset.kind === 'PRUNE') {
    const same = rows.find(({ value }) => value === first?.value)
    return same ? [{ action: 'delete', recordId: same.id }] : []
  }
  const comment = commentOf(rrset, rows)
  if (rrset.records === undefined) return comment === undefined ? [] : commented(rows, comment, rrset)
  const valuesOf = (isDisabled: boolean) =>
    (rrset.records ?? []).flatMap(({ value, disabled }) => (disabled === isDisabled ? value : []))
  const set = { action: 'set', recordType, name, ...shared } as const
  return [
    { ...set, values: valuesOf(false), disabled: valuesOf(true), ...(comment !== undefined && { comment }) },
  ]
}

const fullName = ({ name }: ManagedRRset, { zone }: Place): string =>
  name === '@' ? `${zone.name}.` : `${name}.${zone.name}.`

/**
 * The TTL to write; undefined: as it is. Challenges of certificate authorities get the nearest that the DNS provider supports,
 * because their clients choose one without knowing it and the TTL means nothing to them; all others get theirs, or are refused.
 */
function ttlOf(
  { name, type, ttl, title }: ManagedRRset,
  rows: readonly RecordRow[],
  { zone, capabilities }: Place,
): number | undefined {
  // Plans take 0 as "the usual TTL".
  if (ttl === 0 && rows.length > 0 && rows.every((row) => row.ttl === 0)) return undefined
  if (ttl === 0) throw refused(`RRset ${title}: TTL must be at least 1`)
  // The TTL that it was shown with, while the provider chooses.
  const isAutomatic = rows.length > 0 && rows.every((row) => row.ttl === null)
  if (ttl === undefined || (isAutomatic && ttl === zone.default_ttl)) return undefined
  const isChallenge = type === 'TXT' && name.split('.', 1)[0] === CHALLENGE_LABEL
  if (!isChallenge || capabilities === undefined) return ttl
  return capabilities.ttlOf === 'zone' || capabilities.ttlByPlan ? undefined : nearestTtl(ttl, capabilities)
}

/** The comment that all records get; undefined: they keep theirs. */
function commentOf({ comments, title }: ManagedRRset, rows: readonly RecordRow[]): string | undefined {
  if (comments === undefined) return undefined
  const current = new Set(rows.map(({ comment }) => comment).filter((comment) => comment !== ''))
  const wanted = new Set(comments)
  if (wanted.size === current.size && [...wanted].every((comment) => current.has(comment))) return undefined
  if (wanted.size > 1) throw refused(`RRset ${title}: only one comment can be kept here, not ${wanted.size}`)
  return comments[0] ?? ''
}

function commented(rows: readonly RecordRow[], comment: string, { title }: ManagedRRset): Change[] {
  if (rows.length === 0 && comment !== '')
    throw refused(`RRset ${title} has no records, and a comment is kept with them`)
  return rows
    .filter((row) => row.comment !== comment)
    .map(({ id }) => ({ action: 'update', recordId: id, comment }))
}

/** Names the RRsets of refused changes. */
function inWords({ refusals }: ChangesRefused, rrsets: readonly GivenRRset[]): Error {
  const all = refusals.map(({ index, detail }) => `RRset ${rrsets[index]?.title ?? ''}: ${detail}`)
  // Records of an RRset are often refused for the same reason.
  const texts = [...new Set(all)]
  const text = texts[0] ?? ''
  return refusals.some(({ kind }) => kind === 'forbidden')
    ? forbidden(text, texts.length > 1 ? { errors: texts } : {})
    : refused(text, texts)
}
