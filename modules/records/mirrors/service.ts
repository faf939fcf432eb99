import { v7 as uuidv7 } from 'uuid'
import { violates } from '../../../db/connection/errors.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import { requireDomain, type GrantedDomain } from '../../domains/access/access.ts'
import {
  createZone,
  holdName,
  proveName,
  refuseRegistered,
  requireCreatable,
  zoneMissing,
} from '../../domains/service.ts'
import { ProviderError, type Zone } from '../../providers/contract.ts'
import { openConnection } from '../../providers/traffic/connection.ts'
import type { RecordContext } from '../context.ts'
import { openTarget, usableConfig, type Destination, type Target } from '../move/target.ts'
import {
  storedNameServers,
  countMirrors,
  deleteMirror,
  findMirror,
  insertMirror,
  mirrorsOf,
} from './queries.ts'
import { queueZone } from './queue-queries.ts'
import { toMirror, toMirrors } from './view.ts'

/** Zones of one domain besides its own. */
const MAX_MIRRORS = 5
/** Records that a provider puts into a new zone, which may be deleted. */
const OF_NEW_ZONE = 1_000

/** Lists the mirrors of a domain. */
export async function listMirrors(context: RecordContext, caller: Caller, domainId: string) {
  const { id } = await requireDomain(context.db, caller, domainId, 'readAll')
  return {
    mirrors: await toMirrors(context, await mirrorsOf(context.db, id)),
    nameServers: await storedNameServers(context.db, id),
  }
}

export async function readMirror(context: RecordContext, caller: Caller, domainId: string, mirrorId: string) {
  const { id } = await requireDomain(context.db, caller, domainId, 'readAll')
  return toMirror(context, { id: mirrorId, domain_id: id })
}

interface NewMirror extends Destination {
  createZone: boolean
}

/**
 * Adds a zone at another provider that follows the domain. Its records are brought over in the background, before any later
 * change.
 */
export async function addMirror(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { createZone: create, ...destination }: NewMirror,
) {
  const { db } = context
  const domain = await requireDomain(db, caller, domainId, 'manage')
  if ((await countMirrors(db, domainId)) >= MAX_MIRRORS) throw tooMany(domain)
  const target = await openTarget(context, caller, domain, destination)
  const { provider } = target.host
  if (provider.capabilities.truth === 'local') {
    const message = 'stores no records itself, so it can’t mirror any'
    throw invalid({ path: '/providerConfigId', code: 'nothing_held', message })
  }
  if (!target.zone) {
    if (!create) throw zoneMissing(provider, '/providerConfigId')
    requireCreatable(provider, target.config)
  }
  // The zone answers for the name as a registered one does.
  const isProven = await proveName(context, caller, domain.name)
  const connection = openConnection(context, target.config)
  const zone = target.zone ?? (await createZone(connection, target.config, domain.name))
  const nameServers = await nameServersOf(target, zone, context)
  const row = {
    id: uuidv7(),
    domain_id: domainId,
    provider_config_id: target.config.id,
    zone_id: zone.id,
    zone_ttl: zone.ttl ?? null,
    name_servers: nameServers,
  }
  return keepingResult(db, caller, async (trx) => {
    const held = await requireDomain(trx, caller, domainId, 'manage', { lock: true })
    await usableConfig(trx, caller, target.config.id)
    await holdName(trx, context, caller, { name: held.name, isProven })
    if ((await countMirrors(trx, domainId)) >= MAX_MIRRORS) throw tooMany(held)
    await refuseRegistered(trx, { config: target.config, zone })
    await insertMirror(trx, row)
    await queueZone(trx, row.id, target.zone ? 0 : OF_NEW_ZONE)
    await recordAudit(trx, caller, {
      action: 'domain.mirror_added',
      target: { type: 'domain', id: domainId, name: held.name },
      after: {
        mirrorId: row.id,
        providerConfigId: target.config.id,
        zoneId: zone.id,
        zoneCreated: target.zone === null,
      },
    })
    return toMirror({ providerRegistry: context.providerRegistry, db: trx }, row)
  }).catch((error: unknown) => {
    if (violates(error, 'unique'))
      throw conflict(`${domain.name} is a mirror with this provider configuration already`, {
        reason: 'zone_mirrored',
      })
    throw error
  })
}

const tooMany = ({ name }: GrantedDomain) =>
  conflict(`${name} has ${MAX_MIRRORS} mirrors; remove one first`, {
    reason: 'too_many_mirrors',
    params: { max: MAX_MIRRORS },
  })

/** Those that the provider gives, else those at the apex there; empty if it does not answer. */
async function nameServersOf({ config }: Target, zone: Zone, context: RecordContext): Promise<string[]> {
  if (zone.nameServers && zone.nameServers.length > 0) return zone.nameServers
  try {
    const rrset = await openConnection(context, config).call((adapter) => adapter.readRRset(zone, '@', 'NS'))
    const found = (rrset?.members ?? []).map(({ value }) => value).sort()
    return found.length > 0 ? found : config.name_servers
  } catch (error) {
    if (error instanceof ProviderError) return config.name_servers
    throw error
  }
}

/** Removes a mirror with the changes that it has not got. Its zone stays at the provider. */
export async function removeMirror(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  mirrorId: string,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const domain = await requireDomain(trx, caller, domainId, 'manage', { lock: true })
    const mirror = await findMirror(trx, domainId, mirrorId)
    if (!mirror) throw notFound('mirror', mirrorId)
    await requireMatch(caller, () =>
      toMirror({ providerRegistry: context.providerRegistry, db: trx }, mirror),
    )
    await deleteMirror(trx, mirrorId)
    await recordAudit(trx, caller, {
      action: 'domain.mirror_removed',
      target: { type: 'domain', id: domainId, name: domain.name },
      before: {
        mirrorId,
        providerConfigId: mirror.provider_config_id,
        zoneId: mirror.zone_id,
        behind: mirror.behind,
      },
    })
  })
}
