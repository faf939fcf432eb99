import { parseHostName } from '../names.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/** The full name of a name server (RFC 1035 section 3.3.11), for example `ns1.example.net`. */
export function checkNs(value: string): ValueCheck {
  const target = parseHostName(value, 'NS')
  return target.ok ? accepted(target.name) : refused(target.code, target.reason)
}
