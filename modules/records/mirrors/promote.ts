import { AppError, conflict, notFound } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { isOfProvider } from '../move/adapted.ts'
import { switchTo } from '../move/switch.ts'
import { usableConfig } from '../move/target.ts'
import type { Differences } from '../sync/sync-differences.ts'
import { takeMirror } from './zones/comparing.ts'
import { openMirror } from './open.ts'
import { deleteMirror, findMirror, updateMirror } from './queries.ts'
import { endAllChanges } from './queue-queries.ts'
import { stateOf } from './state.ts'

/**
 * Swaps the provider of a domain and a mirror; nothing changes at either. Rejects with 409 unless the mirror is in step,
 * except with `force`.
 */
export async function promoteMirror(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  mirrorId: string,
  { force }: { force: boolean },
) {
  const domain = await requireDomain(context.db, caller, domainId, 'manage')
  const found = await findMirror(context.db, domainId, mirrorId)
  if (!found) throw notFound('mirror', mirrorId)
  await usableConfig(context.db, caller, found.provider_config_id)
  await takeMirror(context, mirrorId)
  try {
    const mirror = await findMirror(context.db, domainId, mirrorId)
    const open = mirror && (await openMirror(context, mirror))
    if (!open) throw notFound('mirror', mirrorId)
    const { host, config, zone } = open
    const state = stateOf(mirror)
    if (!force && state !== 'in_step') {
      throw conflict(
        `The mirror at ${host.provider.name} is not in step with ${domain.name}; sync it first, or set "force": true`,
        { reason: `mirror_${state}` },
      )
    }
    const ttl = mirror.zone_ttl === null ? {} : { ttl: mirror.zone_ttl }
    const named = mirror.name_servers.length > 0 ? { nameServers: mirror.name_servers } : {}
    const target = { config, host, zone: { ...zone, ...ttl, ...named } }
    // A provider without records of its own can't follow.
    const stays = host.from.capabilities.truth !== 'local'
    const answer = await switchTo(context, caller, domain, target, {
      force,
      async alongside(trx, { domain: before, differences, nameServers }) {
        if (!force && differences.created.some(({ content }) => !isOfProvider(content)))
          throw differing(host.provider.name, domain.name)
        if (!stays) return void (await deleteMirror(trx, mirrorId))
        await endAllChanges(trx, mirrorId)
        await updateMirror(trx, mirrorId, {
          provider_config_id: before.provider_config_id,
          zone_id: before.zone_id,
          zone_ttl: host.from.capabilities.ttlOf === 'zone' ? before.default_ttl : null,
          name_servers: nameServers,
          findings: '[]',
          more_findings: 0,
          lacks: false,
          differences: countOf(differences),
          error: null,
          error_code: null,
          failed: false,
          tries: 0,
          announced: null,
        })
      },
    }).catch((error: unknown) => {
      const isDifferent = error instanceof AppError && error.code === 'confirmation_required'
      if (!isDifferent) throw error
      throw differing(host.provider.name, domain.name, error.extra)
    })
    return { ...answer, mirrorId: stays ? mirrorId : null }
  } finally {
    await context.leases.end('mirror', mirrorId)
  }
}

const differing = (provider: string, name: string, extra: object = {}) =>
  conflict(
    `The zone of the mirror at ${provider} differs from ${name}; compare and sync it first, or set "force": true`,
    { reason: 'mirror_differs', ...extra },
  )

/** Records that the previous provider holds differently now. */
function countOf({ created, updated, deleted }: Differences): number {
  const contents = [
    ...created.map(({ content }) => content),
    ...updated.map(({ before }) => before),
    ...deleted,
  ]
  return contents.filter((content) => !isOfProvider(content)).length
}
