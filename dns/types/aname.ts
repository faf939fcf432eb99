import { aliasFields, ALIAS_HELP } from './alias.ts'
import { defineType } from './define.ts'

export const ANAME = defineType({
  type: 'ANAME',
  title: 'Alias resolved by the provider (ANAME)',
  help: ALIAS_HELP,
  rfc: 'provider-specific',
  fields: aliasFields,
})
