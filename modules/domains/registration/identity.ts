import type { Executor } from '../../../db/connection/connect.ts'
import { parseDomainName } from '../../../dns/names/domain-names.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { findConfig, type ProviderConfigRow } from '../../providers/configs/service.ts'
import { requireDomain, type DomainRow } from '../access/access.ts'

/** Fields of a domain that can't be changed. */
export interface GivenIdentity {
  name?: string
  providerConfigId?: string
}

/** Name and configuration of a new domain; null if missing or not valid, with the reason in `errors`. */
export async function readIdentity(
  db: Executor,
  caller: Caller,
  { name, providerConfigId }: GivenIdentity,
): Promise<{ name: string | null; config: ProviderConfigRow | null; errors: FieldError[] }> {
  const parsed = name === undefined ? null : parseDomainName(name)
  const config = providerConfigId === undefined ? null : await findConfig(db, caller, providerConfigId)
  const errors: FieldError[] = []
  if (parsed?.ok === false) errors.push({ path: '/name', code: parsed.code, message: parsed.reason })
  if (providerConfigId !== undefined && !config)
    errors.push({
      path: '/providerConfigId',
      code: 'unknown_provider_config',
      message: 'is not one of your provider configurations',
    })
  return { name: parsed?.ok ? parsed.name : null, config: config ?? null, errors }
}

/** Errors for changed identity fields; a client may send them back unchanged. */
export function identityChanges(row: DomainRow, { name, providerConfigId }: GivenIdentity): FieldError[] {
  const errors: FieldError[] = []
  const parsed = name === undefined ? null : parseDomainName(name)
  if (parsed?.ok === false) errors.push({ path: '/name', code: parsed.code, message: parsed.reason })
  else if (parsed && parsed.name !== row.name) errors.push(fixed('name'))
  if (providerConfigId !== undefined && providerConfigId.toLowerCase() !== row.provider_config_id)
    errors.push(fixed('providerConfigId'))
  return errors
}

/**
 * Errors for changed identity fields of a domain that the caller manages; rejects if they don't manage it.
 */
export const identityFaults = async (db: Executor, caller: Caller, id: string, given: GivenIdentity) =>
  identityChanges(await requireDomain(db, caller, id, 'manage'), given)

const fixed = (field: string): FieldError => ({
  path: `/${field}`,
  code: 'fixed',
  message: "can't be changed",
})
