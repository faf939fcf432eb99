import { isEmailAddress } from '../../../schemas/people/email-address.ts'
import type { JsonObject } from '../flow/calls.ts'
import { failed } from '../errors.ts'
import type { ExternalIdentity, ProfileFields } from './contract.ts'

const MAX_SUBJECT_LENGTH = 255
const MAX_NAME_LENGTH = 100
const MAX_AVATAR_LENGTH = 500

/** The claims of OpenID Connect Core 1.0 section 5.1. */
export const STANDARD_FIELDS: ProfileFields = {
  subject: 'sub',
  username: 'preferred_username',
  displayName: 'name',
  email: 'email',
  emailVerified: 'email_verified',
  avatar: 'picture',
}

/** Converts a provider's data about a user; only an unusable subject fails. */
interface RawProfile {
  subject: unknown
  username?: unknown
  displayName?: unknown
  email?: unknown
  emailVerified?: boolean
  avatar?: unknown
}

export function toIdentity(raw: RawProfile): ExternalIdentity {
  const email = emailOf(raw.email)
  return {
    subject: subjectOf(raw.subject),
    username: label(raw.username),
    displayName: label(raw.displayName),
    email,
    emailVerified: email !== null && raw.emailVerified === true,
    avatar: avatarOf(raw.avatar),
    session: null,
  }
}

/** Reads a user info answer with the configured fields. The subject has no fallback. */
export function readProfile(info: JsonObject, fields: ProfileFields): ExternalIdentity {
  const at = (path: string | null) => (path === null ? undefined : memberAt(info, path))
  const verified = at(fields.emailVerified)
  return toIdentity({
    subject: at(fields.subject),
    username: at(fields.username),
    displayName: at(fields.displayName),
    email: at(fields.email),
    // Some send a string.
    emailVerified: verified === true || verified === 'true',
    avatar: at(fields.avatar),
  })
}

function memberAt(value: unknown, path: string): unknown {
  let current = value
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as JsonObject)[name]
  }
  return current
}

function subjectOf(value: unknown): string {
  // Beyond the safe integers, two accounts could be read as one.
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (
    typeof text !== 'string' ||
    text.trim() === '' ||
    text.length > MAX_SUBJECT_LENGTH ||
    text.includes('\0')
  ) {
    throw failed('The provider returned no usable subject')
  }
  return text
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** A display name, or undefined. */
function label(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replace(CONTROLS, ' ').trim().slice(0, MAX_NAME_LENGTH).toWellFormed()
  return text === '' ? null : text
}

/** One plain address, as accounts store it, or undefined. */
const emailOf = (value: unknown) =>
  typeof value === 'string' && isEmailAddress(value) ? value.toLowerCase() : null

function avatarOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_AVATAR_LENGTH) return null
  const url = URL.parse(value)
  return url !== null && url.protocol === 'https:' ? url.href : null
}
