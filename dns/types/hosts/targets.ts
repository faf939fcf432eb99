import { parseHostName, type TargetRules } from '../../names/names.ts'
import { defineType } from '../define.ts'
import { target } from '../fields/names.ts'
import { accepted, refused, type ValueCheck } from '../values.ts'

/* Types whose data is the name of another host or zone. */

export const CNAME_TARGET: TargetRules = {
  what: 'a CNAME must point to a name',
  underscore: true,
  root: false,
}
export const NAME_SERVER: TargetRules = { what: 'an NS must name a server', underscore: false, root: false }

/** Reports the code of the violated rule, instead of one for the field. */
const checkTarget =
  (rules: TargetRules) =>
  (value: string): ValueCheck => {
    const name = parseHostName(value, rules)
    return name.ok ? accepted(name.name) : refused(name.code, name.reason)
  }

const aliasFields = {
  target: target(CNAME_TARGET, { title: 'Target', help: 'A full name', example: 'www.example.net' }),
}

export const CNAME = defineType({
  type: 'CNAME',
  title: 'Alias',
  help: 'Makes this name an alias of another one; no other records are allowed at this name.',
  rfc: 'RFC 1035 section 3.3.1',
  fields: aliasFields,
  check: checkTarget(CNAME_TARGET),
})

export const NS = defineType({
  type: 'NS',
  title: 'Name server',
  help: 'A server that answers for the zone; below the apex, it delegates that part of the zone to the server.',
  rfc: 'RFC 1035 section 3.3.11',
  fields: {
    host: target(NAME_SERVER, { title: 'Name server', help: 'A full name', example: 'ns1.example.net' }),
  },
  check: checkTarget(NAME_SERVER),
})

export const PTR = defineType({
  type: 'PTR',
  title: 'Pointer',
  help: 'The name of an address, in a reverse zone; or a service to discover (RFC 6763).',
  rfc: 'RFC 1035 section 3.3.12',
  fields: {
    target: target(
      { what: 'a PTR must point to a name', underscore: true, root: false },
      { title: 'Name', help: 'A full name', example: 'www.example.com' },
    ),
  },
})

export const DNAME = defineType({
  type: 'DNAME',
  title: 'Alias of all names below',
  help: 'Redirects all names below this one to the same names below the target; no records are allowed below this name.',
  rfc: 'RFC 6672',
  fields: {
    target: target(
      { what: 'a DNAME must point to a name', underscore: true, root: false },
      { title: 'Target', help: 'A full name', example: 'example.net' },
    ),
  },
})

/** The same under the names that DNS providers use. */
const resolvedAlias = (type: 'ALIAS' | 'ANAME') =>
  defineType({
    type,
    title: `Alias resolved by the provider (${type})`,
    help: 'The provider answers with the addresses of the target. Allowed at the apex and next to other records.',
    rfc: 'provider-specific',
    fields: aliasFields,
  })

export const ALIAS = resolvedAlias('ALIAS')
export const ANAME = resolvedAlias('ANAME')
