import { Type } from '@sinclair/typebox'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { hasUserInfo, refuseUserInfo } from '../../../plugins/security/configured-addresses.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'

/** The URL of a receiver. Its path and query are as sensitive as a password. */
export const Address = (title: string, example: string) =>
  Type.String({ title, minLength: 1, maxLength: 2000, writeOnly: true, examples: [example] })

/** Faults of a receiver's URL; a password belongs in the field `secretField`. */
export function checkAddress(path: string, text: string, secretField: string): FieldError[] {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return [{ path, code: 'address', message: 'must be a complete https or http URL' }]
  }
  if (hasUserInfo(text)) return [refuseUserInfo(path, [secretField])]
  return []
}

/** Masks the end of the path and the values of the query; the rest stays readable. */
export function maskAddress(text: string): string {
  const { origin, pathname, searchParams } = new URL(text)
  const cut = Math.max(pathname.replace(/\/$/, '').lastIndexOf('/'), 0) + 1
  const tail = pathname.slice(cut)
  const query = [...searchParams].map(([name, value]) => `${name}=${maskSecret(value)}`)
  return (
    origin +
    pathname.slice(0, cut) +
    (tail && maskSecret(tail)) +
    (query.length > 0 ? '?' : '') +
    query.join('&')
  )
}
