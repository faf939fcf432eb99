import { parseHostName } from '../names.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/** The full name that this one is an alias of (RFC 1035 section 3.3.1), for example `www.example.net`. */
export function checkCname(value: string): ValueCheck {
  const target = parseHostName(value, 'CNAME')
  return target.ok ? accepted(target.name) : refused(target.code, target.reason)
}
