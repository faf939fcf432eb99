import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { catalogueQuery } from '../api/queries/zones/domains.ts'
import type { ConsoleApi } from '../api/schema.d.ts'
import { useMessages } from './language.tsx'

type Catalogue = ConsoleApi['/api/providers']['GET']['answer']

/** Kinds of providers, with names in the user's language where those exist. */
export function useCatalogue() {
  const { providerNames } = useMessages().common
  const select = useCallback(
    ({ providers }: Catalogue) =>
      providers.map((kind) => ({ ...kind, name: providerNames[kind.key] ?? kind.name, ownName: kind.name })),
    [providerNames],
  )
  return useQuery({ ...catalogueQuery, select })
}
