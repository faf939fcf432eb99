import { useSyncExternalStore } from 'react'
import type { Late } from '../api/late.ts'
import type { Language } from '../messages/texts.ts'
import { useLanguage } from './language.tsx'

const NONE: Late<never> = { get: () => null, subscribe: () => () => {} }

/** What is loaded by the first who wants it; null until it is there. */
export const useLate = <T>({ subscribe, get }: Late<T>): T | null => useSyncExternalStore(subscribe, get)

/**
 * The words of the language in use; null where it has none, until they are there, and as long as they are not needed.
 * Nothing waits for them: a page with what was typed must not go for it.
 */
export function useLateWords<T>(words: Partial<Record<Language, Late<T>>>, isNeeded = true): T | null {
  const own = words[useLanguage()]
  return useLate(isNeeded && own ? own : NONE)
}
