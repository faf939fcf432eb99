import { RECORD_TYPES, typeOf } from '../../dns/types/index.ts'
import type { Executor } from '../../db/connect.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { listConfigs } from './queries.ts'
import { providers } from './registry.ts'

/** All record types, each with the providers and with the caller's configurations that can hold it. */
export async function listRecordTypes(db: Executor, caller: Caller) {
  const configs = await listConfigs(db, caller)
  return {
    recordTypes: RECORD_TYPES.map((type) => {
      const { title, help, rfc, readOnly, place, example, fields } = typeOf(type)
      const able = providers.filter(({ capabilities }) =>
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
