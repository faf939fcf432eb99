import { parseHostName, type TargetRules } from '../../names/names.ts'
import { defineType, faultIf } from '../define.ts'
import { target } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'
import { agreePriority, readNumber, words } from '../numbers.ts'
import { accepted, refused, type ValueCheck, valueError } from '../values.ts'

export const MX_TARGET: TargetRules = { what: 'an MX must name a mail server', underscore: false, root: true }

const EXAMPLE = '10 mail.example.com'
const NULL_MX = 'The null MX, which means that the domain accepts no mail, must have priority 0: "0 ."'

/** `<priority> <host>`, or only the host if `priority` is given. `0 .` is the null MX of RFC 7505. */
function check(value: string, field: number | null): ValueCheck {
  const parts = words(value)
  const lone = parts.length === 1
  const host = parts.at(-1) ?? ''
  if (host === '' || parts.length > 2 || (lone && readNumber(host, Infinity) !== null)) {
    return refused('mx_form', `MX must be "<priority> <host>", for example "${EXAMPLE}"`)
  }
  const { priority, errors } = agreePriority(lone ? null : (parts[0] ?? ''), field, EXAMPLE)
  const name = parseHostName(host, MX_TARGET)
  if (!name.ok) errors.push(valueError(name.code, name.reason))
  else if (name.name === '.' && priority !== 0) errors.push(valueError('null_mx_priority', NULL_MX))
  if (!name.ok || errors.length > 0) return { ok: false, errors }
  return accepted(`${priority} ${name.name}`, priority)
}

export const MX = defineType({
  type: 'MX',
  title: 'Mail server',
  help: 'A server that accepts mail for this name; the lowest priority is tried first.',
  rfc: 'RFC 1035 section 3.3.9',
  fields: {
    priority: uint16({ title: 'Priority', help: 'The lowest is tried first', example: 10 }),
    host: target(MX_TARGET, {
      title: 'Mail server',
      help: 'A full name; "." with priority 0: the domain accepts no mail (RFC 7505)',
      example: 'mail.example.com',
    }),
  },
  judge: ({ priority, host }) =>
    faultIf(host === '.' && priority !== 0, 'priority', 'null_mx_priority', NULL_MX),
  check,
})
