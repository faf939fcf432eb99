import { lazy, type FunctionComponent } from 'react'
import type { Area } from '../messages/en.ts'
import { withTexts } from './language.tsx'

/** Part of a page, loaded on first display with its messages; `name`: its export. */
export const lazyPart = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, FunctionComponent<Props>>>,
  name: Name,
  areas: Area[],
) => {
  const loadAll = withTexts(load, areas)
  return lazy(async () => ({ default: (await loadAll())[name] }))
}
