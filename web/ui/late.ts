import { useSyncExternalStore } from 'react'
import type { Late } from '../api/late.ts'
import type { Language } from '../messages/texts.ts'
import { useLanguage } from './language.tsx'

const NONE: Late<never> = { get: () => null, subscribe: () => () => {} }

/** Loads a value on first use; null until it is there. */
export const useLate = <T>({ subscribe, get }: Late<T>): T | null => useSyncExternalStore(subscribe, get)

/**
 * Messages of the current language; null if it has none, until they have loaded, and while they aren't needed. Never
 * suspends, as that would remove a page with unsaved input.
 */
export function useLateWords<T>(words: Partial<Record<Language, Late<T>>>, isNeeded = true): T | null {
  const own = words[useLanguage()]
  return useLate(isNeeded && own ? own : NONE)
}
