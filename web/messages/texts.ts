import type { Area, Messages } from './en.ts'
import { EVERYWHERE } from './everywhere.ts'

export type Language = 'en' | 'zh'

const FILES = {
  en: async () => (await import('./en.ts')).en,
  zh: async () => (await import('./zh.ts')).zh,
}
const loaded: Record<Language, Partial<Messages>> = { en: {}, zh: {} }
const loading = new Map<string, Promise<void>>()

/** What is loaded of a language: the same object always, which gains areas. */
export const textsOf = (language: Language): Partial<Messages> => loaded[language]

async function fetchArea(language: Language, area: Area) {
  const key = `${language}/${area}`
  try {
    const areas = await FILES[language]()
    Object.assign(loaded[language], { [area]: await areas[area]() })
  } catch (error) {
    // To be tried again: this time the network was gone.
    loading.delete(key)
    throw error
  }
}

/** Loads an area once; the same promise for all who wait. */
export function loadArea(language: Language, area: Area): Promise<void> {
  const key = `${language}/${area}`
  const known = loading.get(key) ?? fetchArea(language, area)
  loading.set(key, known)
  return known
}

/** Loads areas, with those that are there on every page. */
export async function loadTexts(language: Language, areas: readonly Area[]): Promise<void> {
  await Promise.all([...EVERYWHERE, ...areas].map((area) => loadArea(language, area)))
}

/** Loads in one language all that is loaded in another. */
export const loadAsIn = (other: Language, language: Language): Promise<void> =>
  loadTexts(language, Object.keys(loaded[other]) as Area[])
