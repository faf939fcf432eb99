import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { isNarrowed, type Caller } from '../../../plugins/security/access/index.ts'
import { listConfigs } from '../configs/queries.ts'
import type { ConfigContext } from '../configs/service.ts'

/**
 * All record types, each with the providers and the caller's provider connections that support it: none for a
 * token restricted to some domains.
 */
export async function listRecordTypes({ db, providerRegistry }: ConfigContext, caller: Caller) {
  const configs = isNarrowed(caller) ? [] : await listConfigs(db, caller)
  return {
    recordTypes: RECORD_TYPES.map((type) => {
      const { title, help, rfc, readOnly, place, example, fields } = typeOf(type)
      const able = providerRegistry.all.filter(({ capabilities }) =>
        capabilities.recordTypes.some((one) => one === type),
      )
      const keys = new Set(able.map(({ key }) => key))
      return {
        type,
        title,
        help,
        rfc,
        readOnly,
        place,
        example,
        fields: [...fields],
        providers: [...keys],
        providerConfigIds: configs.filter(({ provider }) => keys.has(provider)).map(({ id }) => id),
      }
    }),
  }
}
