/* Configured addresses that others can see: a password has its own, encrypted field. */

import type { FieldError } from '../http/errors.ts'
import { DOTS } from './masks.ts'

/** Returns whether the address contains a user name or password (RFC 3986 section 3.2.1). */
export function hasUserInfo(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Redacts addresses stored before user info was refused. */
export const maskUserInfo = (address: string): string =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${DOTS}@`)

/** Returns whether both lead to the same place. A different path counts as different. */
export const isSameAddress = (one: string, other: string): boolean => placeOf(one) === placeOf(other)

function placeOf(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  url.username = ''
  url.password = ''
  return url.href.replace(/\/+$/, '')
}

/** The secret at `path` must be re-entered: changing an address must not reveal what is sent there. */
export const giveAgain = (path: string): FieldError => ({
  path,
  code: 'give_again',
  message: 'must be re-entered because the address changed',
})

/** The address at `path` contains user info; `fields` are where it belongs. */
export const refuseUserInfo = (path: string, fields: readonly string[]): FieldError => ({
  path,
  code: 'address_credentials',
  message: `must not contain a user name or password; use ${fields.join(' or ')}`,
  params: { fields },
})
