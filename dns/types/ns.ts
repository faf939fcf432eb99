import { parseHostName, type TargetRules } from '../names/names.ts'
import { defineType } from './define.ts'
import { target } from './fields/names.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

export const NAME_SERVER: TargetRules = { what: 'an NS must name a server', underscore: false, root: false }

function check(value: string): ValueCheck {
  const name = parseHostName(value, NAME_SERVER)
  return name.ok ? accepted(name.name) : refused(name.code, name.reason)
}

export const NS = defineType({
  type: 'NS',
  title: 'Name server',
  help: 'A server that answers for the zone; below the apex, it delegates that part of the zone to the server.',
  rfc: 'RFC 1035 section 3.3.11',
  fields: {
    host: target(NAME_SERVER, { title: 'Name server', help: 'A full name', example: 'ns1.example.net' }),
  },
  check,
})
