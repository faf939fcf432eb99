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
import { findTexts, type Place } from './queries.ts'

/** Seconds. */
const TTL = 60

/** Challenges of one name wait for each other at a slow provider; clients give up after about 30 s. */
const MAX_WAIT_MS = 25_000

type Hosted = Place & { provider_id: string }

/**
 * Adds the value to the TXT records of the challenge's name; when it answers, the provider has it. What is there already
 * is fine. Rejects as `placeOf` and as any change of records does.
 */
export async function presentChallenge(context: RecordContext, caller: Caller, { name, value }: Challenge) {
  const place = await placeOf(context.db, caller, name)
  await refuseHidden(context, place, recordScopeOf(place, caller))
  await changeTexts(context, caller, place, { add: value, remove: [] })
}

/** A 409 where nobody who asks would be answered with a TXT record of that name. */
export async function refuseHidden(
  { db }: RecordContext,
  { domainId, host }: Place,
  scope?: RecordScope,
): Promise<void> {
  const record = { name: host, type: 'TXT' as const, value: '' }
  const [hiding] = (await findHidden(db, domainId, [record])).values()
  if (hiding) throw hiddenError(record, hiding, scope)
}

/** Takes the value away at the provider, whoever put it there, and no other; what is gone already is fine. */
export async function cleanUpChallenge(context: RecordContext, caller: Caller, { name, value }: Challenge) {
  const place = await placeOf(context.db, caller, name)
  const idsOf = async () =>
    (await findTexts(context.db, place)).filter((text) => text.value === value).map(({ id }) => id)
  let remove = await idsOf()
  // One that this service does not know, as after the domain was registered anew.
  if (remove.length === 0 && (await adoptTexts(context, caller, place))) remove = await idsOf()
  if (remove.length > 0) await changeTexts(context, caller, place, { add: null, remove })
}

/**
 * Stores the TXT records of the name that are at the provider and not known here, so that they can be removed. Answers
 * whether there were any.
 */
export async function adoptTexts(
  context: RecordContext,
  caller: Caller,
  { domainId, host }: Place,
): Promise<boolean> {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  return (await adoptSets(context, domain, [{ name: host, type: 'TXT' }])).length > 0
}

/** `remove`: ids of records; `exact`: no others may be left but those that are known here. What is so already, or was made so meanwhile, is left out. */
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
    // The name is exact: `_acme-challenge.example.com` in example.com is not `_acme-challenge` of it.
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

/** None where the zone has one for all records, or where what is paid for decides how low it may be. */
function ttlAt({ providerRegistry }: RecordContext, { provider_id: providerId }: Hosted): { ttl?: number } {
  const capabilities = providerRegistry.byId(providerId)?.capabilities
  if (!capabilities || capabilities.ttlOf === 'zone' || capabilities.ttlByPlan) return {}
  return { ttl: nearestTtl(TTL, capabilities) }
}
