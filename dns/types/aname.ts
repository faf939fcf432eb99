import { aliasFields, ALIAS_HELP } from './alias.ts'
import { defineType } from './define.ts'

export const ANAME = defineType({
  type: 'ANAME',
  title: 'Alias that the provider resolves (ANAME)',
  help: ALIAS_HELP,
  rfc: "the provider's own",
  fields: aliasFields,
})
