import { parseHostName, type TargetRules } from '../names/names.ts'
import { defineType } from './define.ts'
import { target } from './fields/names.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

export const CNAME_TARGET: TargetRules = {
  what: 'a CNAME must point to a name',
  underscore: true,
  root: false,
}

function check(value: string): ValueCheck {
  const name = parseHostName(value, CNAME_TARGET)
  return name.ok ? accepted(name.name) : refused(name.code, name.reason)
}

export const CNAME = defineType({
  type: 'CNAME',
  title: 'Alias',
  help: 'Makes this name an alias of another one; no other records are allowed at this name.',
  rfc: 'RFC 1035 section 3.3.1',
  fields: {
    target: target(CNAME_TARGET, { title: 'Target', help: 'A full name', example: 'www.example.net' }),
  },
  check,
})
