import { useSyncExternalStore } from 'react'
import type { Language } from '../messages/texts.ts'
import { useLanguage } from './language.tsx'

/** Words that a language has for what the service says in English. */
export interface LateWords<T> {
  get: () => T | null
  subscribe: (listener: () => void) => () => void
}

/** Words that are loaded when they are first asked for. */
export function lateWords<T>(load: () => Promise<T>): LateWords<T> {
  let words: T | null = null
  let isLoading = false
  const listeners = new Set<() => void>()
  async function fetchWords() {
    isLoading = true
    try {
      words = await load()
      for (const listener of listeners) listener()
    } catch {
      // The service's own words stay, and the next who asks tries again.
    } finally {
      isLoading = false
    }
  }
  return {
    get: () => words,
    subscribe(listener) {
      listeners.add(listener)
      if (words === null && !isLoading) void fetchWords()
      return () => listeners.delete(listener)
    },
  }
}

const NONE: LateWords<never> = { get: () => null, subscribe: () => () => {} }

/**
 * The words of the language in use; null where it has none, until they are there, and as long as they are not needed.
 * Nothing waits for them: a page with what was typed must not go for it.
 */
export function useLateWords<T>(words: Partial<Record<Language, LateWords<T>>>, isNeeded = true): T | null {
  const own = words[useLanguage()]
  const { subscribe, get } = isNeeded && own ? own : NONE
  return useSyncExternalStore(subscribe, get)
}
