import type { Executor } from '../../../db/connection/connect.ts'
import { notFound } from '../../../plugins/http/errors.ts'
import type { DomainRow, RecordScope } from '../../domains/access/access.ts'
import { connectionOf } from '../../domains/service.ts'
import { findConfigById, type ProviderConfigRow } from '../../providers/configs/service.ts'
import type { Zone } from '../../providers/contract.ts'
import { openConnection, type ProviderConnection } from '../../providers/traffic/connection.ts'
import type { ProviderLimits } from '../../providers/traffic/limits.ts'
import type { RecordContext } from '../context.ts'
import { findDomainForRecovery } from '../list/queries.ts'
import type { CopyTarget } from '../move/adapted.ts'
import type { MirrorRow } from './queries.ts'

/** Mirrors get what the domain has, whoever changed it. */
export const WHOLE: RecordScope = {
  seen: null,
  changeable: null,
  token: { namePatterns: null, recordTypes: null },
}

/** A mirror with its domain, and what reaches its zone. */
export interface OpenMirror {
  mirror: MirrorRow
  domain: DomainRow
  config: ProviderConfigRow
  host: CopyTarget
  zone: Zone
  connect: (limits?: ProviderLimits) => ProviderConnection
}

/** Opens a mirror without calling its provider; undefined if its domain was deleted. */
export async function openMirror(
  context: RecordContext,
  mirror: MirrorRow,
  db: Executor = context.db,
): Promise<OpenMirror | undefined> {
  const domain = await findDomainForRecovery(db, mirror.domain_id)
  if (!domain) return undefined
  const config = await findConfigById(db, mirror.provider_config_id)
  // The foreign key guarantees the configuration.
  if (!config) throw notFound('provider configuration', mirror.provider_config_id)
  const { provider: from } = await connectionOf(context, domain, { db })
  const connect = (limits?: ProviderLimits) => openConnection(context, config, limits ? { limits } : {})
  const { provider } = connect()
  return {
    mirror,
    domain,
    config,
    host: { provider, from, defaultTtl: mirror.zone_ttl ?? domain.default_ttl },
    zone: { id: mirror.zone_id, name: domain.name, size: domain.record_count },
    connect,
  }
}
