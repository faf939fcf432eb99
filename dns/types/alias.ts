import { CNAME_TARGET } from './cname.ts'
import { defineType } from './define.ts'
import { target } from './fields/names.ts'

export const ALIAS_HELP =
  'The provider answers with the addresses of the target. Allowed at the apex and next to other records.'

export const aliasFields = {
  target: target(CNAME_TARGET, { title: 'Target', help: 'A full name', example: 'www.example.net' }),
}

export const ALIAS = defineType({
  type: 'ALIAS',
  title: 'Alias resolved by the provider (ALIAS)',
  help: ALIAS_HELP,
  rfc: 'provider-specific',
  fields: aliasFields,
})
