import { shown } from '../text/messages.ts'
import { toAsciiName, type NameResult } from './names.ts'
import { unescapeBytes } from '../text/strings.ts'
import { readName } from '../wire/wire-name.ts'

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i

/**
 * The canonical SOA name of an email address (RFC 1035 section 8): the part before the "@" becomes the first
 * label, so `host.master@example.com` is `host\.master.example.com`.
 */
export function toMailboxName(address: string): NameResult {
  const text = address.trim()
  const at = text.lastIndexOf('@')
  const domain = toAsciiName(text.slice(at + 1))
  const local = text.slice(0, Math.max(at, 0))
  const name = domain.ok && LOCAL_PART.test(local) ? readName(`${escape(local)}.${domain.name}`) : null
  if (name === null) {
    const reason = `${shown(text)} is not an email address such as "hostmaster@example.com"`
    return { ok: false, reason, code: 'mail_address' }
  }
  return { ok: true, name }
}

const escape = (local: string): string => local.replace(/[^a-z0-9_-]/gi, '\\$&')

/** The email address that a canonical name stands for. */
export function toMailAddress(name: string): string {
  const [label = ''] = /^(?:[^\\.]|\\.)+/.exec(name) ?? []
  return `${unescapeBytes(label)?.toString() ?? label}@${name.slice(label.length + 1)}`
}
