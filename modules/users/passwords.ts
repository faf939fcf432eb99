import { invalid } from '../../plugins/http/errors.ts'
import type { PasswordRule } from '../../schemas/codes/reason-codes.ts'

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

/** Names an attacker tries first for this service. */
interface PasswordSurroundings {
  username: string
  /** Public address of the service. */
  siteUrl: string
}

/** A user name this short occurs in many good passwords by chance; it only must not be the whole password. */
const SHORT_NAME = 4

/** Why a password is refused: the rule, for programs, and a text that follows the field's name. */
interface PasswordFault {
  rule: PasswordRule
  message: string
}

/** Returns why the password is refused; null if it is accepted. */
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
  return (await isCommon(password)) ? { rule: 'password_common', message: 'is too common' } : null
}

/** Throws a 400 at `path` for a password that is refused. */
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

/**
 * The 49,233 most common leaked passwords of @zxcvbn-ts/language-common, in lower case and by frequency. The
 * list is loaded on first use (5 MB) and searched linearly: a third of a millisecond next to 25 for a hash
 * doesn't justify another copy as a set.
 */
let loading: Promise<readonly string[]> | undefined

async function load(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
}

/** Typical additions to a common password: a few digits and symbols. */
const TRIVIAL_SUFFIX = /[^\p{L}]{1,5}$/u

/** Returns whether it is a common password, in any case, also with a few digits or symbols appended. */
async function isCommon(password: string): Promise<boolean> {
  const common = await (loading ??= load())
  const word = password.toLowerCase()
  return common.includes(word) || common.includes(word.replace(TRIVIAL_SUFFIX, ''))
}
