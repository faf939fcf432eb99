import { parseHostName, type TargetRules } from '../../names/names.ts'
import { defineType, faultIf } from '../define.ts'
import { target } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'
import { agreePriority, readNumber, words } from '../numbers.ts'
import { accepted, refused, type ValueCheck, valueError } from '../values.ts'

export const SRV_TARGET: TargetRules = { what: 'an SRV must name a server', underscore: false, root: true }

const EXAMPLE = '10 60 5060 sip.example.com'
const PORT = 'The port of an SRV must be a number from 1 to 65535, or 0 with the target "."'

/**
 * `<priority> <weight> <port> <target>`, or the last three if `priority` is given. The target "." means that
 * there is no such service; only then may the port be 0 (RFC 6186 section 3.4).
 */
function check(value: string, field: number | null): ValueCheck {
  const parts = words(value)
  if (parts.length < 3 || parts.length > 4) {
    return refused('srv_form', `SRV must be "<priority> <weight> <port> <target>", for example "${EXAMPLE}"`)
  }
  const [weight, port, host] = parts.slice(-3).map((text, at) => (at < 2 ? readNumber(text, 65535) : text))
  const { priority, errors } = agreePriority(parts.length === 4 ? (parts[0] ?? '') : null, field, EXAMPLE)
  if (weight === null)
    errors.push(valueError('srv_weight', 'The weight of an SRV must be a number from 0 to 65535'))
  if (port === null || (port === 0 && host !== '.')) errors.push(valueError('srv_port', PORT))
  const name = parseHostName(String(host), SRV_TARGET)
  if (!name.ok) errors.push(valueError(name.code, name.reason))
  if (!name.ok || errors.length > 0) return { ok: false, errors }
  return accepted(`${priority} ${weight} ${port} ${name.name}`, priority)
}

export const SRV = defineType({
  type: 'SRV',
  title: 'Service',
  help: 'Where to reach a service; the name identifies the service, such as _sip._tcp.',
  rfc: 'RFC 2782',
  fields: {
    priority: uint16({ title: 'Priority', help: 'The lowest is tried first', example: 10 }),
    weight: uint16({ title: 'Weight', help: 'Share of requests within one priority', example: 60 }),
    port: uint16({ title: 'Port', example: 5060 }),
    target: target(SRV_TARGET, {
      title: 'Server',
      help: 'A full name; ".": the service is not available',
      example: 'sip.example.com',
    }),
  },
  judge: (data) => faultIf(data.port === 0 && data.target !== '.', 'port', 'srv_port', PORT),
  check,
})
