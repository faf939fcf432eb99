import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Ownership } from '../../../plugins/security/ownership.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { violates } from '../../../db/connection/errors.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { Caller, Principal } from '../../../plugins/security/access/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import {
  credentialContext,
  openAccount,
  openConnection,
  type Account,
  type ProviderContext,
} from '../traffic/connection.ts'
import { ProviderError, type Capabilities } from '../contract.ts'
import { providerErrorCode } from '../errors.ts'
import type { ProviderRegistry } from '../registry.ts'
import {
  countConfigsOf,
  giveConfigs,
  deleteConfig,
  findConfig,
  findConfigForUpdate,
  insertConfig,
  isEnabledUser,
  listConfigs,
  updateConfig,
  type ProviderConfigRow,
} from './queries.ts'
import { changedCredentials, maskCredentials, newCredentials } from './credentials.ts'
import { readZoneStart, type ZoneStart } from './zone-start.ts'

export { findConfig, findConfigById, type ProviderConfigRow } from './queries.ts'
export { startOf } from './zone-start.ts'

/** What managing provider connections needs from the app. */
export interface ConfigContext extends ProviderContext {
  db: Kysely<Database>
}

export const catalogue = ({ providerRegistry }: ProviderContext) => ({
  providers: providerRegistry.all.map(({ id, key, name, credentialSchema, rights, capabilities }) => ({
    id,
    key,
    name,
    credentialSchema,
    rights,
    capabilities: shownCapabilities(capabilities),
  })),
})

const shownCapabilities = ({ recordTypes, ttls, txt, ...rest }: Capabilities) => ({
  ...rest,
  recordTypes: [...recordTypes],
  txt: { ...txt, without: [...txt.without] },
  ...(ttls && { ttls: [...ttls] }),
})

export async function listProviderConfigs(context: ConfigContext, caller: Caller) {
  const rows = await listConfigs(context.db, caller)
  return { providerConfigs: rows.map((row) => toProviderConfig(row, context)) }
}

export async function readProviderConfig(context: ConfigContext, caller: Caller, id: string) {
  return toProviderConfig(await visibleConfig(context.db, caller, id), context)
}

interface NewConfig extends Partial<ZoneStart> {
  providerId: string
  name: string
  credentials?: Record<string, string>
  /** Default: the caller. */
  ownerId?: string
}

/** Throws a 400 that names the fields. */
function checkConfig({ providerRegistry }: ProviderContext, input: NewConfig) {
  const provider = providerRegistry.byId(input.providerId)
  if (!provider)
    throw invalid({
      path: '/providerId',
      code: 'unknown_provider',
      message: 'is not in the catalogue; see GET /api/providers',
    })
  const credentials = newCredentials(provider, input.credentials ?? {})
  return {
    provider,
    credentials,
    start: readZoneStart(input, { nameServers: [], hostmaster: null, verifyServers: [] }),
  }
}

export async function createProviderConfig(context: ConfigContext, caller: Caller, input: NewConfig) {
  const { db, secrets } = context
  const { provider, credentials, start } = checkConfig(context, input)
  const ownerId = await ownerOf(db, caller, input.ownerId)
  const id = uuidv7()
  return keepingResult(db, caller, async (trx) => {
    const row = await insertConfig(trx, {
      id,
      provider: provider.key,
      name: input.name,
      owner_id: ownerId,
      credentials: secrets.seal(JSON.stringify(credentials), credentialContext(id)),
      ...toColumns(start),
    })
    const config = toProviderConfig(row, context)
    await recordAudit(trx, caller, {
      action: 'provider_config.created',
      target: { type: 'provider_config', id, name: input.name },
      after: { provider: provider.key, ...(ownerId !== caller.userId && { ownerId }), ...describe(config) },
    })
    return config
  })
}

/**
 * Administrators can create connections for others, for example for machine accounts, which can't sign in.
 */
async function ownerOf(db: Executor, caller: Caller, given = caller.userId): Promise<string> {
  if (given === caller.userId) return given
  if (caller.role !== 'admin') throw forbidden('Only administrators connect accounts for others')
  if (await isEnabledUser(db, given)) return given
  throw invalid({ path: '/ownerId', code: 'unknown_user', message: 'is not an active user' })
}

/** Missing or empty credential fields stay unchanged, null removes: see changedCredentials. */
export async function updateProviderConfig(
  context: ConfigContext,
  caller: Caller,
  id: string,
  input: { name?: string; credentials?: Record<string, string | null> } & Partial<ZoneStart>,
) {
  const { db, secrets, providerRegistry } = context
  return db.transaction().execute(async (trx) => {
    const row = await findConfigForUpdate(trx, caller, id)
    if (!row) throw configNotFound(id)
    await requireMatch(caller, () => toProviderConfig(row, context))
    const before = toProviderConfig(row, context)
    const credentials = changedCredentials(
      providerRegistry.byKey(row.provider),
      openCredentials(row, secrets),
      input.credentials ?? {},
    )
    const updated = await updateConfig(trx, id, {
      name: input.name ?? row.name,
      credentials: secrets.seal(JSON.stringify(credentials), credentialContext(id)),
      ...toColumns(readZoneStart(input, before)),
      // The new values may be what makes it reachable again.
      breaker_failures: 0,
      breaker_since: null,
      breaker_next_try: null,
      in_turn_until: null,
    })
    const after = toProviderConfig(updated, context)
    await recordAudit(trx, caller, {
      action: 'provider_config.updated',
      target: { type: 'provider_config', id, name: after.name },
      ...differences(describe(before), describe(after)),
    })
    return after
  })
}

export async function deleteProviderConfig(
  context: ConfigContext,
  caller: Caller,
  id: string,
): Promise<void> {
  try {
    await context.db.transaction().execute(async (trx) => {
      const row = await findConfigForUpdate(trx, caller, id)
      if (!row) throw configNotFound(id)
      await requireMatch(caller, () => toProviderConfig(row, context))
      await deleteConfig(trx, id)
      await recordAudit(trx, caller, {
        action: 'provider_config.deleted',
        target: { type: 'provider_config', id, name: row.name },
        before: { provider: row.provider, name: row.name },
      })
    })
  } catch (error) {
    if (violates(error, 'foreignKey'))
      throw conflict('Domains still use this provider connection; delete them first', {
        reason: 'connection_in_use',
      })
    throw error
  }
}

/** Tests the stored credentials and describes the result. */
export async function testProviderConfig(context: ConfigContext, caller: Caller, id: string) {
  const row = await visibleConfig(context.db, caller, id)
  const report = await tryAccount(openConnection(context, row, { tries: true }))
  await recordAudit(context.db, caller, {
    action: 'provider_config.tested',
    target: { type: 'provider_config', id, name: row.name },
    after: { provider: row.provider, ok: report.success },
  })
  return report
}

/** Does the same before they are stored. */
export async function tryProviderConfig(context: ConfigContext, caller: Caller, input: NewConfig) {
  const { provider, credentials } = checkConfig(context, input)
  const report = await tryAccount(openAccount(context, provider, credentials))
  await recordAudit(context.db, caller, {
    action: 'provider_config.tested',
    target: { type: 'provider_config', id: null, name: input.name },
    after: { provider: provider.key, ok: report.success },
  })
  return report
}

async function tryAccount(account: Account) {
  try {
    await account.call((adapter) => adapter.verify())
    return { success: true, code: null, error: null }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { success: false, code: providerErrorCode(error), error: error.message }
  }
}

/** Returns the row if the caller can see it. */
export async function visibleConfig(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<ProviderConfigRow> {
  const row = await findConfig(db, principal, id)
  if (!row) throw configNotFound(id)
  return row
}

const configNotFound = (id: string) => notFound('provider configuration', id)

const openCredentials = (row: ProviderConfigRow, secrets: Secrets) =>
  JSON.parse(secrets.open(row.credentials, credentialContext(row.id))) as Record<string, string>

const toColumns = ({ nameServers, hostmaster, verifyServers }: ZoneStart) => ({
  name_servers: nameServers,
  hostmaster,
  verify_servers: verifyServers,
})

/** For the audit trail. */
const describe = ({
  name,
  credentials,
  nameServers,
  hostmaster,
  verifyServers,
}: ReturnType<typeof toProviderConfig>) => ({
  name,
  credentials,
  nameServers,
  hostmaster,
  verifyServers,
})

function toProviderConfig(
  row: ProviderConfigRow,
  { secrets, providerRegistry }: { secrets: Secrets; providerRegistry: ProviderRegistry },
) {
  const provider = providerRegistry.byKey(row.provider)
  return {
    id: row.id,
    providerId: provider.id,
    providerKey: provider.key,
    name: row.name,
    ownerId: row.owner_id,
    credentials: maskCredentials(provider.credentialSchema, openCredentials(row, secrets)),
    nameServers: row.name_servers,
    hostmaster: row.hostmaster,
    verifyServers: row.verify_servers,
    breaker: {
      state: row.breaker_since === null ? ('closed' as const) : ('open' as const),
      since: row.breaker_since?.toISOString() ?? null,
      nextTry: row.breaker_next_try?.toISOString() ?? null,
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** A user's provider connections. */
export const ownedConfigs: Ownership = {
  name: 'provider configurations',
  count: countConfigsOf,
  transfer: giveConfigs,
}
