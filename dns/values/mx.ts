import { parseHostName } from '../names.ts'
import { readName, writeName } from '../wire-name.ts'
import { agreePriority, readNumber, words } from './numbers.ts'
import { accepted, refused, type ValueCheck, valueError } from './result.ts'

const EXAMPLE = '10 mail.example.com'

/**
 * A mail server, `<priority> <host>`, or the host alone when `priority` is given (RFC 1035 section
 * 3.3.9). `0 .` is the null MX of RFC 7505: the domain takes no mail.
 */
export function checkMx(value: string, field: number | null): ValueCheck {
  const parts = words(value)
  const lone = parts.length === 1
  const host = parts.at(-1) ?? ''
  if (host === '' || parts.length > 2 || (lone && readNumber(host, Infinity) !== null)) {
    return refused('mx_form', `MX must be "<priority> <host>", for example "${EXAMPLE}"`)
  }
  const { priority, errors } = agreePriority(lone ? null : (parts[0] ?? ''), field, EXAMPLE)
  const target = parseHostName(host, 'MX')
  if (!target.ok) errors.push(valueError(target.code, target.reason))
  else if (target.name === '.' && priority !== 0) {
    errors.push(
      valueError('null_mx_priority', 'The null MX, which says that there is no mail, has priority 0: "0 ."'),
    )
  }
  if (!target.ok || errors.length > 0) return { ok: false, errors }
  return accepted(`${priority} ${target.name}`, priority)
}

/** The canonical form of a provider's MX, or null. */
export function readMx(rdata: string): string | null {
  const [priority = '', host = '', ...more] = words(rdata)
  const number = readNumber(priority, 65535)
  const name = readName(host)
  return number === null || name === null || more.length > 0 ? null : `${number} ${name}`
}

/** Master-file data of a canonical MX. */
export function writeMx(canonical: string): string {
  const [priority = '', host = ''] = canonical.split(' ')
  return `${priority} ${writeName(host)}`
}
