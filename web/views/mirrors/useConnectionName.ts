import { useQuery } from '@tanstack/react-query'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { visible } from '../../ui/visible.ts'

/** Names provider connections; one of somebody else has the name of its provider. */
export function useConnectionName() {
  const { data: configs = [] } = useQuery(providerConfigsQuery)
  const { data: catalogue = [] } = useCatalogue()
  const own = (id: string) => configs.find((config) => config.id === id)?.name
  return {
    ofMirror: ({ providerConfigId, providerName }: Schemas['Mirror']) =>
      visible(own(providerConfigId) ?? providerName),
    ofDomain: ({ providerConfigId, providerId }: Schemas['Domain']) =>
      visible(own(providerConfigId) ?? catalogue.find(({ id }) => id === providerId)?.name ?? ''),
    /** Null: it is not the user's. */
    ofConnection: (id: string) => {
      const name = own(id)
      return name === undefined ? null : visible(name)
    },
  }
}
