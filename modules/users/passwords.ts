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

/** Why this can't be a password; empty when it can. */
export async function checkPassword(
  password: string,
  { username, siteUrl }: PasswordSurroundings,
): Promise<string[]> {
  const word = password.toLowerCase()
  const name = username.toLowerCase()
  if (password.trim() === '') return ['must not be blank']
  const length = Array.from(password).length
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return [`must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`]
  }
  if (word === name || (name.length >= SHORT_NAME && word.includes(name))) {
    return ['must not contain the user name']
  }
  if (word.includes('zonekeeper') || word.includes(new URL(siteUrl).hostname)) {
    return ['must not contain the name of this service']
  }
  return (await isCommon(password)) ? ['is one of the commonest passwords'] : []
}
