import { lazy, type FunctionComponent } from 'react'
import type { Area } from '../messages/en.ts'
import { withTexts } from './language.tsx'

/** A part of a page that is loaded when it is first shown, with what it says; `name`: what its file exports. */
export const lazyPart = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, FunctionComponent<Props>>>,
  name: Name,
  areas: Area[],
) => {
  const loadAll = withTexts(load, areas)
  return lazy(async () => ({ default: (await loadAll())[name] }))
}
