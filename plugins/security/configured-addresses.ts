/* Addresses that people configure and that others see: a password has its own field, where it is sealed. */

import type { FieldError } from '../http/errors.ts'
import { DOTS } from './masks.ts'

/** Whether a user name or a password stands in the address (RFC 3986 section 3.2.1). */
export function hasUserInfo(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** What was stored before user info was refused, fit to be shown. */
export const maskUserInfo = (address: string): string =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${DOTS}@`)

/** Whether both lead to the same place, whoever asks there. A change of the path alone is another one. */
export const isSameAddress = (one: string, other: string): boolean => placeOf(one) === placeOf(other)

function placeOf(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  url.username = ''
  url.password = ''
  return url.href.replace(/\/+$/, '')
}

/** The secret at `path` can't stay what it is: whoever changes an address must not learn what is sent there. */
export const giveAgain = (path: string): FieldError => ({
  path,
  code: 'give_again',
  message: 'must be given again, as the address is another one',
})

/** The address at `path` holds user info; `fields` are where it belongs instead. */
export const refuseUserInfo = (path: string, fields: readonly string[]): FieldError => ({
  path,
  code: 'address_credentials',
  message: `must not hold a user name or password: what is secret belongs in ${fields.join(' or ')}`,
  params: { fields },
})
