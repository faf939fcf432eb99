import { Type } from '@sinclair/typebox'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { hasUserInfo, refuseUserInfo } from '../../../plugins/security/configured-addresses.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'

/** Where a receiver is called. Its path and query are as good as a password. */
export const Address = (title: string, example: string) =>
  Type.String({ title, minLength: 1, maxLength: 2000, writeOnly: true, examples: [example] })

/** What is wrong with an address to call; a password belongs in the field `secretField`. */
export function checkAddress(path: string, text: string, secretField: string): FieldError[] {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return [{ path, code: 'address', message: 'must be a complete https or http address' }]
  }
  if (hasUserInfo(text)) return [refuseUserInfo(path, [secretField])]
  return []
}

/** Host and the way to the receiver stay readable; the end of the path and the values of the query don't. */
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
