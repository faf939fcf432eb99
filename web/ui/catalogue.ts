import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { catalogueQuery } from '../api/queries/domains.ts'
import type { ConsoleApi } from '../api/schema.d.ts'
import { useMessages } from './language.tsx'

type Catalogue = ConsoleApi['/api/providers']['GET']['answer']

/** The kinds of providers; those whose names are words, or that have another brand there, are called so in the user's language. */
export function useCatalogue() {
  const { providerNames } = useMessages().common
  const select = useCallback(
    ({ providers }: Catalogue) =>
      providers.map((kind) => ({ ...kind, name: providerNames[kind.key] ?? kind.name, ownName: kind.name })),
    [providerNames],
  )
  return useQuery({ ...catalogueQuery, select })
}
