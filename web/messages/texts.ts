import type { Area, Messages } from './en.ts'
import { EVERYWHERE } from './everywhere.ts'

export type Language = 'en' | 'zh'

const FILES = {
  en: async () => (await import('./en.ts')).en,
  zh: async () => (await import('./zh.ts')).zh,
}
const loaded: Record<Language, Partial<Messages>> = { en: {}, zh: {} }
const loading = new Map<string, Promise<void>>()

/** Loaded messages of a language: always the same object, to which areas are added. */
export const textsOf = (language: Language): Partial<Messages> => loaded[language]

async function fetchArea(language: Language, area: Area) {
  const key = `${language}/${area}`
  try {
    const areas = await FILES[language]()
    Object.assign(loaded[language], { [area]: await areas[area]() })
  } catch (error) {
    // The network may be back next time.
    loading.delete(key)
    throw error
  }
}

/** Loads an area once. */
export function loadArea(language: Language, area: Area): Promise<void> {
  const key = `${language}/${area}`
  const known = loading.get(key) ?? fetchArea(language, area)
  loading.set(key, known)
  return known
}

/** Loads areas, together with those that every page needs. */
export async function loadTexts(language: Language, areas: readonly Area[]): Promise<void> {
  await Promise.all([...EVERYWHERE, ...areas].map((area) => loadArea(language, area)))
}

/** Loads in one language what is loaded in another. */
export const loadAsIn = (other: Language, language: Language): Promise<void> =>
  loadTexts(language, Object.keys(loaded[other]) as Area[])
