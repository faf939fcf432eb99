import { v7 as uuidv7 } from 'uuid'
import { violates } from '../../../db/connection/errors.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { giveAgain, hasUserInfo, refuseUserInfo } from '../../../plugins/security/configured-addresses.ts'
import { conflict, invalid, notFound, type FieldError } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import type { OAuthContext } from '../context.ts'
import { isSecure } from '../flow/calls.ts'
import { IdentityError, stillBound } from '../errors.ts'
import { httpAccessOf } from '../flow/flow.ts'
import { toProviderConfig } from './mapper.ts'
import { toWellKnownUrl } from '../flow/metadata.ts'
import type { Endpoints, ProfileFields, ProviderId } from '../identity-providers/contract.ts'
import { identityProvider, identityProviders } from '../identity-providers/registry.ts'
import {
  deleteProvider,
  findProviderView,
  insertProvider,
  listProviderViews,
  lockProvider,
  updateProvider,
  type ProviderRow,
} from '../queries.ts'
import { fieldsOf, redirectUrlOf, secretContext, settingsOf } from './settings.ts'

/** Settings; missing ones stay, or come from the preset. */
interface ProviderInput extends Partial<Endpoints> {
  name?: string | null
  clientId?: string
  clientSecret?: string
  scope?: string
  enabled?: boolean
  issuer?: string | null
  tokenAuthMethod?: 'basic' | 'post' | null
  fields?: Partial<ProfileFields>
}

export async function listProviderConfigs({ db, installation }: OAuthContext) {
  const rows = await listProviderViews(db)
  return {
    providers: rows.map((row) => toProviderConfig(row, installation)),
    availableProviders: identityProviders.map(({ id, name, type }) => ({ id, name, type })),
    homepageUrl: installation.url,
    oidcUrls: { homepageUrl: installation.url, redirectUrl: redirectUrlOf(installation, 'oidc') },
  }
}

export async function readProviderConfig({ db, installation }: OAuthContext, id: string) {
  return toProviderConfig(await viewOf(db, id), installation)
}

export async function createProviderConfig(
  { db, secrets, installation }: OAuthContext,
  caller: Caller,
  providerId: ProviderId,
  input: ProviderInput & { clientId: string; clientSecret: string },
) {
  const id = uuidv7()
  const blank: ProviderRow = {
    id,
    provider_id: providerId,
    name: null,
    enabled: true,
    client_id: '',
    client_secret: Buffer.alloc(0),
    scope: identityProvider(providerId).defaults.scope,
    well_known_url: null,
    authorize_url: null,
    token_url: null,
    user_info_url: null,
    issuer: null,
    token_auth_method: null,
    fields: {},
    created_at: new Date(),
    updated_at: new Date(),
  }
  const { created_at: _created, updated_at: _updated, ...row } = { ...blank, ...changesOf(blank, input) }
  checkRow({ ...blank, ...row })
  const sealed = secrets.seal(input.clientSecret, secretContext(id))
  try {
    return await keepingResult(db, caller, async (trx) => {
      await insertProvider(trx, { ...row, client_secret: sealed })
      const config = toProviderConfig(await viewOf(trx, id), installation)
      await recordAudit(trx, caller, {
        action: 'oauth_provider.created',
        target: { type: 'oauth_provider', id, name: providerId },
        after: auditView(config),
      })
      return config
    })
  } catch (error) {
    if (!violates(error, 'unique')) throw error
    throw conflict(`${providerId} is already configured; change that configuration`, {
      reason: 'sign_in_provider_configured',
      params: { name: providerId },
      field: 'providerId',
    })
  }
}

/**
 * An empty client id or secret keeps the stored one; the secret must be re-entered if its target address
 * changes.
 */
export async function updateProviderConfig(
  { db, secrets, installation }: OAuthContext,
  caller: Caller,
  id: string,
  input: ProviderInput & { providerId?: ProviderId },
) {
  return db.transaction().execute(async (trx) => {
    const row = await lockProvider(trx, id)
    if (!row) throw configNotFound(id)
    if (input.providerId !== undefined && input.providerId !== row.provider_id) {
      throw invalid({
        path: '/providerId',
        code: 'fixed',
        message: `stays ${row.provider_id}; create another configuration`,
      })
    }
    const before = toProviderConfig(await viewOf(trx, id), installation)
    await requireMatch(caller, () => before)
    const changes = changesOf(row, input)
    checkRow({ ...row, ...changes })
    const newSecret =
      input.clientSecret === undefined || input.clientSecret === '' ? null : input.clientSecret
    if (newSecret === null && isMoved(row, { ...row, ...changes })) {
      throw invalid(giveAgain('/clientSecret'))
    }
    await updateProvider(trx, id, {
      ...changes,
      ...(newSecret !== null && { client_secret: secrets.seal(newSecret, secretContext(id)) }),
    })
    const after = toProviderConfig(await viewOf(trx, id), installation)
    const changed = differences(auditView(before), auditView(after))
    await recordAudit(trx, caller, {
      action: 'oauth_provider.updated',
      target: { type: 'oauth_provider', id, name: row.provider_id },
      before: changed.before,
      after: { ...changed.after, ...(newSecret !== null && { clientSecret: 'changed' }) },
    })
    return after
  })
}

/** Deletes linked identities too; if there are any, only with confirmation. */
export async function deleteProviderConfig(
  { db, installation }: OAuthContext,
  caller: Caller,
  id: string,
  confirmed: boolean,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockProvider(trx, id)
    if (!row) throw configNotFound(id)
    const view = await viewOf(trx, id)
    await requireMatch(caller, () => toProviderConfig(view, installation))
    const { bound_users: boundUsers } = view
    if (boundUsers > 0 && !confirmed) throw stillBound(boundUsers)
    await deleteProvider(trx, id)
    await recordAudit(trx, caller, {
      action: 'oauth_provider.deleted',
      target: { type: 'oauth_provider', id, name: row.provider_id },
      before: { providerId: row.provider_id, boundUsers },
    })
  })
}

/** Runs all checks possible without a person, and describes the problems. */
export async function testProviderConfig(context: OAuthContext, caller: Caller, id: string) {
  const row = await viewOf(context.db, id)
  const providerId = row.provider_id
  const redirectUrl = redirectUrlOf(context.installation, providerId)
  const settings = settingsOf(row, context.secrets)
  const checks = await identityProvider(providerId)
    .check(settings, redirectUrl, httpAccessOf(context))
    .catch((error: unknown) => {
      if (!(error instanceof IdentityError)) throw error
      return [{ name: 'configuration' as const, ok: false, detail: error.message }]
    })
  const success = checks.every(({ ok }) => ok)
  await recordAudit(context.db, caller, {
    action: 'oauth_provider.tested',
    target: { type: 'oauth_provider', id, name: providerId },
    after: { ok: success },
  })
  return { success, redirectUrl, checks }
}

function changesOf(row: ProviderRow, input: ProviderInput): Partial<ProviderRow> {
  const set: Partial<ProviderRow> = {}
  if (input.name !== undefined) set.name = input.name
  if (input.enabled !== undefined) set.enabled = input.enabled
  if (input.clientId !== undefined && input.clientId !== '') set.client_id = input.clientId
  if (input.scope !== undefined) set.scope = input.scope.trim().replace(/\s+/g, ' ')
  if (input.wellKnownUrl !== undefined) set.well_known_url = given(input.wellKnownUrl, toWellKnownUrl)
  if (input.authorizeUrl !== undefined) set.authorize_url = given(input.authorizeUrl)
  if (input.tokenUrl !== undefined) set.token_url = given(input.tokenUrl)
  if (input.userInfoUrl !== undefined) set.user_info_url = given(input.userInfoUrl)
  if (input.issuer !== undefined) set.issuer = given(input.issuer)
  if (input.tokenAuthMethod !== undefined) set.token_auth_method = input.tokenAuthMethod
  if (input.fields !== undefined) set.fields = { ...fieldsOf(row), ...input.fields }
  return set
}

const given = (text: string | null, shape = (url: string) => url) =>
  text === null || text.trim() === '' ? null : shape(text.trim())

/** Whether the client secret, or tokens it is exchanged for, would go to another address. */
function isMoved(before: ProviderRow, after: ProviderRow): boolean {
  const { defaults } = identityProvider(before.provider_id)
  return (['wellKnownUrl', 'tokenUrl', 'userInfoUrl'] as const).some((field) => {
    const addressIn = (row: ProviderRow) => row[COLUMNS[field]] ?? defaults[field]
    return addressIn(before) !== addressIn(after)
  })
}

const COLUMNS = {
  wellKnownUrl: 'well_known_url',
  authorizeUrl: 'authorize_url',
  tokenUrl: 'token_url',
  userInfoUrl: 'user_info_url',
} as const

const SECRETS = ['clientSecret']

/** Checks the configuration as far as possible without calling the provider. */
function checkRow(row: ProviderRow): void {
  const provider = identityProvider(row.provider_id)
  const errors: FieldError[] = []
  for (const [field, column] of Object.entries(COLUMNS) as [keyof Endpoints, keyof typeof row][]) {
    const url = row[column] as string | null
    if (url === null) {
      if (provider.needs.includes(field) && provider.defaults[field] === null) {
        errors.push({ path: `/${field}`, code: 'required', message: `is required for ${provider.id}` })
      }
    } else if (hasUserInfo(url)) {
      errors.push(refuseUserInfo(`/${field}`, SECRETS))
    } else if (!isSecure(url)) {
      errors.push({
        path: `/${field}`,
        code: 'address',
        message: 'must be an https address (http only for this machine)',
      })
    }
  }
  if (row.issuer !== null && hasUserInfo(row.issuer)) errors.push(refuseUserInfo('/issuer', SECRETS))
  const discovers = provider.needs.includes('wellKnownUrl')
  if (row.well_known_url !== null && !discovers) {
    errors.push({
      path: '/wellKnownUrl',
      code: 'not_used',
      message: `is not used by ${provider.id}; set the endpoints`,
    })
  }
  const usesRest = row.user_info_url?.endsWith('/api/v4/user') === true
  if (discovers && !usesRest && !row.scope.split(' ').includes('openid')) {
    errors.push({ path: '/scope', code: 'scope_openid', message: 'must contain openid' })
  }
  if (
    row.provider_id !== 'custom' &&
    JSON.stringify(fieldsOf(row)) !== JSON.stringify(fieldsOf({ fields: {} }))
  ) {
    errors.push({ path: '/fields', code: 'not_used', message: 'can only be set for custom' })
  }
  if (errors.length > 0) throw invalid(...errors)
}

/** The audited fields: without times and fields that only reflect SITE_URL. */
function auditView(config: ReturnType<typeof toProviderConfig>) {
  const { createdAt: _c, updatedAt: _u, boundUsers: _b, homepageUrl: _h, redirectUrl: _r, ...kept } = config
  return kept
}

async function viewOf(db: Executor, id: string) {
  const row = await findProviderView(db, id)
  if (!row) throw configNotFound(id)
  return row
}

const configNotFound = (id: string) => notFound('identity provider configuration', id)
