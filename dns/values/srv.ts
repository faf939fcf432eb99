import { parseHostName } from '../names.ts'
import { readName, writeName } from '../wire-name.ts'
import { agreePriority, readNumber, words } from './numbers.ts'
import { accepted, refused, type ValueCheck, valueError } from './result.ts'

const EXAMPLE = '10 60 5060 sip.example.com'

/**
 * Where a service is, `<priority> <weight> <port> <target>`, or the last three when `priority` is given
 * (RFC 2782). The target "." says that there is no such service; only then the port may be 0 (RFC 6186
 * section 3.4).
 */
export function checkSrv(value: string, field: number | null): ValueCheck {
  const parts = words(value)
  if (parts.length < 3 || parts.length > 4) {
    return refused('srv_form', `SRV must be "<priority> <weight> <port> <target>", for example "${EXAMPLE}"`)
  }
  const [weight, port, host] = parts.slice(-3).map((text, at) => (at < 2 ? readNumber(text, 65535) : text))
  const { priority, errors } = agreePriority(parts.length === 4 ? (parts[0] ?? '') : null, field, EXAMPLE)
  if (weight === null)
    errors.push(valueError('srv_weight', 'The weight of an SRV must be a number from 0 to 65535'))
  if (port === null || (port === 0 && host !== '.')) {
    errors.push(
      valueError('srv_port', 'The port of an SRV must be a number from 1 to 65535, or 0 with the target "."'),
    )
  }
  const target = parseHostName(String(host), 'SRV')
  if (!target.ok) errors.push(valueError(target.code, target.reason))
  if (!target.ok || errors.length > 0) return { ok: false, errors }
  return accepted(`${priority} ${weight} ${port} ${target.name}`, priority)
}

/** The canonical form of a provider's SRV, also one with port 0; or null. */
export function readSrv(rdata: string): string | null {
  const parts = words(rdata)
  const numbers = parts.slice(0, 3).map((text) => readNumber(text, 65535))
  const name = readName(parts[3] ?? '')
  if (parts.length !== 4 || name === null || numbers.includes(null)) return null
  return [...numbers, name].join(' ')
}

/** Master-file data of a canonical SRV. */
export function writeSrv(canonical: string): string {
  const parts = canonical.split(' ')
  return [...parts.slice(0, 3), writeName(parts[3] ?? '')].join(' ')
}
