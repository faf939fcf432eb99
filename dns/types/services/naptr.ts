import { parseHostName } from '../../names/names.ts'
import { defineType, faultIf } from '../define.ts'
import { nameField } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'
import { text } from '../fields/texts.ts'
import { Unreadable } from '../words.ts'

const REPLACEMENT = { what: 'a NAPTR replacement must be a name', underscore: true, root: true }

function replacement(given: string): string {
  const name = parseHostName(given, REPLACEMENT)
  if (!name.ok) throw new Unreadable(`is not valid: ${name.reason}`)
  return name.name
}

/**
 * Whether it is a substitution, `!^.*$!sip:info@example.com!i` (RFC 3402 section 3.2): a delimiter other than
 * a digit, backslash or flag, three times unescaped, then flags.
 */
function isSubstitution(expression: string): boolean {
  const delimiter = expression[0] ?? ''
  if (/[\\i0-9]/.test(delimiter)) return false
  const parts = ['']
  for (let at = 1; at < expression.length; at++) {
    const character = expression[at] ?? ''
    if (character === delimiter) parts.push('')
    else
      parts.push(
        (parts.pop() ?? '') + (character === '\\' ? character + (expression[++at] ?? '') : character),
      )
  }
  return parts.length === 3 && parts[0] !== '' && /^i?$/.test(parts[2] ?? '')
}

export const NAPTR = defineType({
  type: 'NAPTR',
  title: 'Name rewriting',
  help: 'Rewrites a name to another name or a URI, for telephone numbers and SIP (RFC 6116, RFC 3263).',
  rfc: 'RFC 3403 section 4',
  fields: {
    order: uint16({
      title: 'Order',
      help: 'The lowest is tried first; the first match wins',
      example: 100,
    }),
    preference: uint16({
      title: 'Preference',
      help: 'Within one order, the lowest is tried first',
      example: 10,
    }),
    flags: text({
      title: 'Flags',
      choices: [
        { value: 'U', title: 'The result is a URI' },
        { value: 'S', title: 'Look up SRV next' },
        { value: 'A', title: 'Look up addresses next' },
        { value: 'P', title: 'Defined by the protocol' },
        { value: '', title: 'Look up NAPTR next' },
      ],
      example: 'U',
    }),
    service: text({ title: 'Service', example: 'E2U+sip' }),
    regexp: text({
      title: 'Substitution',
      help: 'A regular expression and its replacement text; empty if there is a replacement name',
      example: '!^.*$!sip:info@example.com!',
    }),
    replacement: nameField(
      {
        title: 'Replacement',
        help: 'The next name to look up; "." if there is a substitution',
        example: '.',
      },
      replacement,
    ),
  },
  judge: ({ flags, regexp, replacement }) => [
    ...faultIf(
      !/^[a-z0-9]*$/i.test(flags),
      'flags',
      'naptr_flags',
      'Flags of NAPTR must be letters and digits',
    ),
    ...faultIf(
      regexp !== '' && replacement !== '.',
      'regexp',
      'naptr_both',
      'A NAPTR must have a substitution or a replacement, not both (RFC 3403, 4.1)',
    ),
    ...faultIf(
      regexp !== '' && !isSubstitution(regexp),
      'regexp',
      'naptr_regexp',
      'The substitution must be "!expression!replacement!", for example "!^.*$!sip:info@example.com!"',
    ),
  ],
})
