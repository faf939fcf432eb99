import type { Caller } from '../../../plugins/security/access/index.ts'
import {
  adoptSets,
  applyChanges,
  findHidden,
  hiddenError,
  refusalError,
  requireApplied,
  type ChangeIntent,
  type RecordContext,
} from '../../records/service.ts'
import { recordScopeOf, requireDomain, type RecordScope } from '../../domains/access/access.ts'
import { nearestTtl } from '../../domains/service.ts'
import type { Challenge } from './challenge.ts'
import { placeOf } from './places.ts'
import { findTexts, type ChallengePlace } from './queries.ts'

/** Seconds. */
const TTL = 60

/** Challenges of one name wait for each other at a slow provider; clients give up after about 30 s. */
const MAX_WAIT_MS = 25_000

type Hosted = ChallengePlace & { provider_id: string }

/**
 * Adds the value to the TXT records of the challenge's name. Resolves after the provider has it, also if it was there
 * already. Rejects like `placeOf` and like any change of records.
 */
export async function presentChallenge(context: RecordContext, caller: Caller, { name, value }: Challenge) {
  const place = await placeOf(context.db, caller, name)
  await refuseHidden(context, place, recordScopeOf(place, caller))
  await changeTexts(context, caller, place, { add: value, remove: [] })
}

/** Throws a 409 if a TXT record of that name would not be served. */
export async function refuseHidden(
  { db }: RecordContext,
  { domainId, host }: ChallengePlace,
  scope?: RecordScope,
): Promise<void> {
  const record = { name: host, type: 'TXT' as const, value: '' }
  const [hiding] = (await findHidden(db, domainId, [record])).values()
  if (hiding) throw hiddenError(record, hiding, scope)
}

/** Deletes exactly this value at the provider, regardless of its creator. A missing value is not an error. */
export async function cleanUpChallenge(context: RecordContext, caller: Caller, { name, value }: Challenge) {
  const place = await placeOf(context.db, caller, name)
  const idsOf = async () =>
    (await findTexts(context.db, place)).filter((text) => text.value === value).map(({ id }) => id)
  let remove = await idsOf()
  // A value unknown here, for example after the domain was removed and added again.
  if (remove.length === 0 && (await adoptTexts(context, caller, place))) remove = await idsOf()
  if (remove.length > 0) await changeTexts(context, caller, place, { add: null, remove })
}

/** Imports TXT records of the name that only the provider has, so that they can be deleted. Returns whether there were any. */
export async function adoptTexts(
  context: RecordContext,
  caller: Caller,
  { domainId, host }: ChallengePlace,
): Promise<boolean> {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  return (await adoptSets(context, domain, [{ name: host, type: 'TXT' }])).length > 0
}

/**
 * `remove`: ids of records; `exact`: fails if the provider holds unknown values. Changes that are already in
 * place count as done.
 */
export async function changeTexts(
  context: RecordContext,
  caller: Caller,
  place: Hosted,
  { add, remove, exact = false }: { add: string | null; remove: string[]; exact?: boolean },
): Promise<void> {
  const create = { action: 'create', recordType: 'TXT', name: place.host, ...ttlAt(context, place) } as const
  const intent: ChangeIntent = {
    kind: 'requests',
    source: 'single',
    requests: [
      ...remove.map((recordId) => ({ action: 'delete' as const, recordId })),
      ...(add === null ? [] : [{ ...create, value: add }]),
    ],
    separate: true,
    // The name is relative: `_acme-challenge.example.com` in example.com is not its `_acme-challenge`.
    verbatim: true,
    ...(exact && { exact: [{ name: place.host, type: 'TXT' }] }),
  }
  const { plan } = requireApplied(
    await applyChanges(context, caller, place.domainId, intent, { maxWaitMs: MAX_WAIT_MS }),
  )
  const refusal = plan.refusals.find(({ code, record }) => {
    const isThere = code === 'exists' && record?.enabled === true && record.status === 'active'
    return !isThere && code !== 'not_found'
  })
  if (refusal) throw refusalError(refusal)
}

/** No TTL if the zone has one for all records, or if the minimum depends on the plan paid for. */
function ttlAt({ providerRegistry }: RecordContext, { provider_id: providerId }: Hosted): { ttl?: number } {
  const capabilities = providerRegistry.byId(providerId)?.capabilities
  if (!capabilities || capabilities.ttlOf === 'zone' || capabilities.ttlByPlan) return {}
  return { ttl: nearestTtl(TTL, capabilities) }
}
