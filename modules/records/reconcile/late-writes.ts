import type { Executor } from '../../../db/connection/connect.ts'
import { memberKey } from '../../../dns/names/rrset.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import { recordAudits } from '../../audit/service.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import type { RecordContent } from '../plan/change.ts'
import { actorOf } from '../apply/journal/journal-actor.ts'
import { uncertainItems, markLateWrites, type UncertainItem } from './late-writes-queries.ts'
import { queueItems } from '../mirrors/queue-queries.ts'
import { auditOf, eventsOf } from '../apply/outcomes.ts'
import type { Differences } from '../sync/sync-differences.ts'
import type { Found } from '../sync/sync-provider.ts'
import { storeRecords } from '../sync/sync-store.ts'

/** An item that counted as failed, and the record the provider holds; null for a delete. */
interface LateWrite {
  item: UncertainItem
  found: Found | null
}

/**
 * Corrects the history by late writes of the provider: where a difference is exactly what a failed change wanted, that
 * change counts as applied and the records here are updated. Returns the remaining differences. The caller holds the
 * domain's row.
 */
export async function correctByLateWrites(
  trx: Executor,
  domain: Pick<DomainRow, 'id' | 'name'>,
  differences: Differences,
): Promise<Differences> {
  const { created, updated, deleted } = differences
  if (created.length + updated.length + deleted.length === 0) return differences
  const { landed, rest } = matchLateWrites(differences, await uncertainItems(trx, domain.id))
  if (landed.length > 0) await storeLateWrites(trx, domain, landed)
  return rest
}

async function storeLateWrites(trx: Executor, domain: Pick<DomainRow, 'id' | 'name'>, landed: LateWrite[]) {
  await storeRecords(trx, domain.id, {
    added: landed.flatMap(({ item, found }) =>
      item.action === 'create' && found ? [{ id: item.record_id, ...found }] : [],
    ),
    updated: landed.flatMap(({ item, found }) =>
      item.action === 'update' && found ? [{ id: item.record_id, found }] : [],
    ),
    deleted: landed.flatMap(({ item }) => (item.action === 'delete' ? [{ id: item.record_id }] : [])),
  })
  const steps = Map.groupBy(landed, ({ item }) => item.change_id)
  const changes = await markLateWrites(
    trx,
    landed.map(({ item }) => item),
  )
  await queueItems(
    trx,
    domain.id,
    landed.map(({ item }) => item),
  )
  const corrected = changes.map((change) => ({
    change,
    actor: actorOf(change),
    steps: (steps.get(change.id) ?? []).map(({ item }) => ({ ...item, recordId: item.record_id })),
  }))
  await recordAudits(
    trx,
    corrected.map(({ change, actor, steps }) => ({
      actor,
      entry: auditOf({ id: change.id, domain, source: change.source }, steps),
    })),
  )
  await announceAll(
    trx,
    corrected.flatMap(({ change, actor, steps }) => eventsOf(steps, change.id, domain, actor)),
  )
}

/** Matches differences with the items that explain them, and returns those that none explains. */
function matchLateWrites(
  differences: Differences,
  items: UncertainItem[],
): { landed: LateWrite[]; rest: Differences } {
  const created = new Map(differences.created.map((found) => [memberKey(found.content), found]))
  const updated = new Map(differences.updated.map((one) => [one.id, one]))
  const deleted = new Map(differences.deleted.map((record) => [record.id, record]))
  const explained = new Set<object>()
  const free = <T extends object>(one: T | null | undefined): T | undefined =>
    one && !explained.has(one) ? one : undefined

  /** Returns the differences that the item explains; undefined if it was not applied. */
  function match({ action, record_id: id, before, after }: UncertainItem) {
    const came = free(after && created.get(memberKey(after)))
    const went = free(deleted.get(id))
    const hasCome = came !== undefined && after !== null && isWanted(came.content, after)
    const hasGone = went !== undefined && before !== null && isWanted(went, before)
    if (action === 'create') return hasCome ? { by: [came], found: withComment(came, after) } : undefined
    if (action === 'delete') return hasGone ? { by: [went], found: null } : undefined
    // Without stable ids at the provider, a changed value looks like one deleted and one created record.
    if (hasCome && hasGone) return { by: [came, went], found: withComment(came, after) }
    const one = free(updated.get(id))
    if (!one || !before || !after) return undefined
    if (!isWanted(one.before, before) || !isWanted(one.found.content, after)) return undefined
    return { by: [one], found: withComment(one.found, after) }
  }

  const landed = items.flatMap((item): LateWrite[] => {
    const matched = match(item)
    for (const one of matched?.by ?? []) explained.add(one)
    return matched ? [{ item, found: matched.found }] : []
  })
  const isLeft = (one: object) => !explained.has(one)
  const rest = {
    created: differences.created.filter(isLeft),
    updated: differences.updated.filter(isLeft),
    deleted: differences.deleted.filter(isLeft),
    unchanged: differences.unchanged,
  }
  return { landed, rest }
}

/** Whether a record is what a change wanted, in the fields that every provider keeps. */
const isWanted = (record: RecordContent, wanted: RecordContent): boolean =>
  memberKey(record) === memberKey(wanted) &&
  record.enabled === wanted.enabled &&
  record.proxied === wanted.proxied &&
  (wanted.ttl === null || record.ttl === wanted.ttl)

/** Takes the comment from the change if the provider keeps none. */
const withComment = (found: Found, { comment }: RecordContent): Found =>
  found.keepsComment ? found : { ...found, content: { ...found.content, comment } }
