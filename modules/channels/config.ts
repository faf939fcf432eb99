import { invalid, type FieldError } from '../../plugins/http/errors.ts'
import { giveAgain, isSameAddress } from '../../plugins/security/configured-addresses.ts'
import { isMasked } from '../../plugins/security/masks.ts'
import type { Secrets } from '../../plugins/security/secrets.ts'
import { unknownAmong } from '../../plugins/http/validation/known-names.ts'
import { bodyChecker } from '../../plugins/http/validation/validation.ts'
import type { Sender } from './senders/contract.ts'

/** The configuration of a channel, described by its sender's schema. */
export type Config = Record<string, unknown>

/** Binds the sealed configuration to its row. */
export const configContext = (id: string) => `channel_configs/${id}`

export const sealConfig = (secrets: Secrets, id: string, config: Config): Buffer =>
  secrets.seal(JSON.stringify(config), configContext(id))

export const openConfig = (secrets: Secrets, { id, config }: { id: string; config: Buffer }): Config =>
  JSON.parse(secrets.open(config, configContext(id))) as Config

export const maskConfig = (sender: Sender, config: Config): Config => sender.mask(config) as Config

const checkers = new Map<Sender, ReturnType<typeof bodyChecker>>()

/** A given configuration without empty values. Throws a 400 that names the fields. */
export function newConfig(sender: Sender, given: Config): Config {
  refuse(unknownAmong(given, knownFields(sender)))
  const config = Object.fromEntries(
    knownFields(sender)
      .filter((name) => !isEmpty(given[name]))
      .map((name) => [name, given[name]]),
  )
  refuse(faultsOf(sender, config))
  return config
}

/**
 * The stored configuration with the given changes. Missing, empty and masked values stay; null removes. Throws a 400
 * that names the fields.
 */
export function changedConfig(sender: Sender, stored: Config, given: Config): Config {
  refuse(unknownAmong(given, [...knownFields(sender), ...Object.keys(stored)]))
  const masked = maskConfig(sender, stored)
  const config: Config = {}
  for (const name of knownFields(sender)) {
    const value = given[name]
    if (value === null) continue
    const next =
      value === undefined || value === '' ? stored[name] : unmasked(value, masked[name], stored[name])
    if (next !== undefined) config[name] = next
  }
  const faults = faultsOf(sender, config)
  refuse(faults.length > 0 ? faults : movedSecrets(sender, stored, config, given))
  return config
}

const knownFields = ({ schema }: Sender) => Object.keys(schema.properties)

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** A given value with our masks replaced by what they stand for. */
function unmasked(value: unknown, mask: unknown, stored: unknown): unknown {
  if (value === mask) return stored
  if (!isRecord(value) || !isRecord(mask) || !isRecord(stored)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Object.hasOwn(mask, name) ? unmasked(member, mask[name], stored[name]) : member,
    ]),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function faultsOf(sender: Sender, config: Config): FieldError[] {
  const check = checkers.get(sender) ?? bodyChecker(sender.schema)
  checkers.set(sender, check)
  const faults = [...maskedFields(config), ...check(config)]
  return faults.length > 0 ? faults : sender.check(config)
}

/** Masks within new values, which can't be resolved. */
const maskedFields = (config: Config): FieldError[] =>
  Object.entries(config)
    .filter(([, value]) => isMasked(value))
    .map(([name]) => ({ path: `/${name}`, code: 'masked', message: 'is masked; enter the full value' }))

/** Secrets that would be sent to a changed address. */
function movedSecrets({ tied }: Sender, stored: Config, config: Config, given: Config): FieldError[] {
  if (!tied || isSameAddress(String(stored[tied.to]), String(config[tied.to]))) return []
  return tied.secrets
    .filter((name) => keepsSecret(stored[name], config[name], given[name]))
    .map((name) => giveAgain(`/${name}`))
}

/** Whether part of the stored value is used that the caller did not give. */
function keepsSecret(stored: unknown, used: unknown, given: unknown): boolean {
  if (typeof used === 'string') return used === stored && used !== given
  if (!isRecord(used) || !isRecord(stored)) return false
  return Object.entries(used).some(
    ([name, value]) => value === stored[name] && (!isRecord(given) || given[name] !== value),
  )
}

function refuse(faults: FieldError[]): void {
  if (faults.length === 0) return
  throw invalid(...faults.map((fault) => ({ ...fault, path: `/config${fault.path}` })))
}
