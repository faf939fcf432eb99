import type { Executor } from '../../../db/connection/connect.ts'
import { notFound } from '../../../plugins/http/errors.ts'
import type { RecordContext } from '../context.ts'
import { connectionsOf, findMirror, type QueuedMirror } from './queries.ts'
import { stateOf } from './state.ts'

/** Maps mirrors to their answers. */
export async function toMirrors(
  { db, providerRegistry }: Pick<RecordContext, 'providerRegistry'> & { db: Executor },
  mirrors: readonly QueuedMirror[],
) {
  const configs = await connectionsOf(db, mirrors)
  return mirrors.map((mirror) => ({
    id: mirror.id,
    providerConfigId: mirror.provider_config_id,
    providerName: providerRegistry.byKey(configs.get(mirror.provider_config_id)?.provider ?? '').name,
    zoneId: mirror.zone_id,
    state: stateOf(mirror),
    behind: mirror.behind,
    behindSince: mirror.behind_since?.toISOString() ?? null,
    error: mirror.error,
    errorCode: mirror.error_code,
    nextTry: mirror.error === null ? null : mirror.due_at.toISOString(),
    differences: mirror.differences,
    comparedAt: mirror.compared_at?.toISOString() ?? null,
    appliedAt: mirror.applied_at?.toISOString() ?? null,
    findings: mirror.findings.map(({ type, ...finding }) => ({ ...finding, recordType: type })),
    moreFindings: mirror.more_findings,
    nameServers: mirror.name_servers,
    createdAt: mirror.created_at.toISOString(),
  }))
}

/** Maps the mirror as it is now; rejects with 404 if it was removed. */
export async function toMirror(
  context: Pick<RecordContext, 'providerRegistry'> & { db: Executor },
  { id, domain_id: domainId }: Pick<QueuedMirror, 'id' | 'domain_id'>,
) {
  const row = await findMirror(context.db, domainId, id)
  const [mirror] = row ? await toMirrors(context, [row]) : []
  if (!mirror) throw notFound('mirror', id)
  return mirror
}
