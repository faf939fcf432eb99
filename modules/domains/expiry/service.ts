import type { Updateable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'
import { parseDomainName, registrableDomain } from '../../../dns/names/domain-names.ts'
import type { Actor, Caller } from '../../../plugins/security/access/index.ts'
import { invalid } from '../../../plugins/http/errors.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import { requireDomain, type DomainRow } from '../access/access.ts'
import { touchLists, updateDomain } from '../queries.ts'
import { noteCheck } from './watch/check-queries.ts'
import type { ExpiryContext } from './context.ts'
import { expiryColumns, nextCheck } from './dates.ts'
import type { Found } from './lookup/lookup.ts'
import { LookupError } from './lookup/registration.ts'
import type { LookupAnswer } from './schemas.ts'

/** Looks up a name, which needn't be a registered domain. */
export async function previewExpiry({ registries }: ExpiryContext, input: string): Promise<LookupAnswer> {
  const parsed = parseDomainName(input)
  if (!parsed.ok) throw invalid({ path: '/domain', code: parsed.code, message: parsed.reason })
  return toAnswer(registrableDomain(parsed.name), await orError(registries.lookUp(parsed.name)))
}

/**
 * Looks up a domain and stores the result. A failed look-up is a result too; stored values then stay.
 */
export async function checkExpiry(
  { db, registries }: ExpiryContext,
  caller: Caller,
  id: string,
): Promise<LookupAnswer> {
  const { name } = await requireDomain(db, caller, id, 'manage')
  const result = await orError(registries.lookUp(name))
  await db.transaction().execute(async (trx) => {
    const row = await requireDomain(trx, caller, id, 'manage', { lock: true })
    await storeResult(trx, caller, row, result)
  })
  return toAnswer(registrableDomain(name), result)
}

/** Stores the result of a look-up in the row locked by the transaction. */
export async function storeResult(
  trx: Executor,
  actor: Actor,
  row: DomainRow,
  result: Found | LookupError,
): Promise<void> {
  const found = result instanceof LookupError ? undefined : result
  await noteCheck(trx, row.id, {
    expiry_check_due_at: row.auto_check_expiry ? nextCheck(found?.expiresAt) : null,
    ...(found && { expiry_checked_at: new Date() }),
  })
  if (!found) return
  const changes = foundColumns(row, found)
  const { before, after } = differences(shown(row), shown({ ...row, ...changes }))
  const changed = Object.keys(after).length > 0
  if (changed) await updateDomain(trx, row.id, changes)
  // Automatic look-ups without a change are not logged.
  if (changed || actor.userId !== null) {
    await recordAudit(trx, actor, {
      action: 'domain.expiry_checked',
      target: { type: 'domain', id: row.id, name: row.name },
      before,
      after: { ...after, source: found.source },
    })
  }
  if (changed) await touchLists(trx, new Map([[row.owner_id, 0]]), [row.id])
}

/** An unpublished date doesn't remove a known one. */
function foundColumns(row: DomainRow, found: Found): Updateable<DomainsTable> {
  const { expiresAt, registrar, nameServers, status, source } = found
  const known = expiresAt !== null && expiresAt.getTime() === row.expires_at?.getTime()
  return {
    registrar: registrar ?? row.registrar,
    name_servers: nameServers.length > 0 ? nameServers : row.name_servers,
    epp_status: status,
    ...(known && { expiry_source: source }),
    ...(expiresAt !== null && !known && expiryColumns(expiresAt, source, row.expiry_remind_days)),
  }
}

const shown = (row: Updateable<DomainsTable>) => ({
  expiresAt: row.expires_at?.toISOString() ?? null,
  expirySource: row.expiry_source,
  registrar: row.registrar,
  nameServers: row.name_servers,
  eppStatus: row.epp_status,
})

/** Returns the result or the reason of failure; registry failures are not errors of the service. */
export const orError = (looking: Promise<Found>): Promise<Found | LookupError> =>
  looking.catch((error: unknown) => {
    if (error instanceof LookupError) return error
    throw error
  })

function toAnswer(domain: string, result: Found | LookupError): LookupAnswer {
  if (result instanceof LookupError) {
    const nothing = { expiresAt: null, registrar: null, nameServers: [], status: [], source: null }
    return { success: false, domain, ...nothing, error: result.message }
  }
  const { registrar, nameServers, status, source } = result
  const expiresAt = result.expiresAt?.toISOString() ?? null
  return { success: true, domain, expiresAt, registrar, nameServers, status, source, error: null }
}
