import { invalid } from '../../plugins/http/errors.ts'
import type { PasswordRule } from '../../schemas/reason-codes.ts'
import { isCommon } from './common-passwords.ts'

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

/** Names that whoever guesses a password of this service tries first. */
interface PasswordSurroundings {
  username: string
  /** Public address of the service. */
  siteUrl: string
}

/** A user name that short is in many good passwords by chance; it must only not be the whole. */
const SHORT_NAME = 4

/** Why something can't be a password: which rule, for programs, and in words that go on after the field's name. */
interface PasswordFault {
  rule: PasswordRule
  message: string
}

/** Why this can't be a password; null when it can. */
export async function checkPassword(
  password: string,
  { username, siteUrl }: PasswordSurroundings,
): Promise<PasswordFault | null> {
  const word = password.toLowerCase()
  const name = username.toLowerCase()
  if (password.trim() === '') return { rule: 'password_blank', message: 'must not be blank' }
  const length = Array.from(password).length
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    const message = `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`
    return { rule: 'password_length', message }
  }
  if (word === name || (name.length >= SHORT_NAME && word.includes(name))) {
    return { rule: 'password_user_name', message: 'must not contain the user name' }
  }
  if (word.includes('zonekeeper') || word.includes(new URL(siteUrl).hostname)) {
    return { rule: 'password_service_name', message: 'must not contain the name of this service' }
  }
  return (await isCommon(password))
    ? { rule: 'password_common', message: 'is one of the commonest passwords' }
    : null
}

/** Rejects with a 400 at `path` what can't be a password. */
export async function expectPassword(
  password: string,
  surroundings: PasswordSurroundings,
  path = '/password',
): Promise<void> {
  const fault = await checkPassword(password, surroundings)
  if (fault === null) return
  const { message, rule } = fault
  throw invalid({ path, code: 'password_refused', message, params: { rule } })
}
