import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { settings } from '../api/settings.ts'
import { formatsOf, type Formats } from '../messages/formats.ts'
import type { Area, TextsOf } from '../messages/en.ts'
import { loadArea, loadAsIn, loadTexts, textsOf, type Language } from '../messages/texts.ts'

const LOCALES: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }
export const LANGUAGES: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh', name: '简体中文' },
]

interface Spoken {
  language: Language
  formats: Formats
}

const Context = createContext<Spoken | null>(null)

/** The chosen language, else the first supported one of the browser. */
export function chosenLanguage(): Language {
  const first = navigator.languages.find((tag) => /^(zh|en)\b/.test(tag))
  return settings.get().language ?? (first?.startsWith('zh') ? 'zh' : 'en')
}

const spokenAs = (language: Language): Spoken => ({ language, formats: formatsOf(LOCALES[language]) })

/** Loads the messages that every page needs. */
export const loadLanguage = () => loadTexts(chosenLanguage(), [])

/** Loads a view together with its messages. */
export function withTexts<T>(load: () => Promise<T>, areas: Area[]): () => Promise<T> {
  return async () => {
    const [view] = await Promise.all([load(), loadTexts(chosenLanguage(), areas)])
    return view
  }
}

/** Language of the subtree; the previous one stays until the new one has loaded. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  useSyncExternalStore(settings.subscribe, () => settings.get().language)
  const wanted = chosenLanguage()
  const [spoken, setSpoken] = useState(() => spokenAs(wanted))
  useEffect(() => {
    let isCurrent = true
    if (wanted !== spoken.language)
      void loadAsIn(spoken.language, wanted).then(() => isCurrent && setSpoken(spokenAs(wanted)))
    return () => {
      isCurrent = false
    }
  }, [wanted, spoken.language])
  useEffect(() => {
    document.documentElement.lang = LOCALES[spoken.language]
  }, [spoken.language])
  return (
    <Context value={spoken}>
      <I18nProvider locale={LOCALES[spoken.language]}>{children}</I18nProvider>
    </Context>
  )
}

function useSpoken(): Spoken {
  const spoken = use(Context)
  if (!spoken) throw new Error('Outside of LanguageProvider')
  return spoken
}

/** Messages of the areas and of every page. Those of a view are loaded with it (`routes/`); missing ones suspend. */
export function useMessages<A extends Area = never>(...areas: A[]): TextsOf<A> {
  const { language } = useSpoken()
  const texts = textsOf(language)
  for (const area of areas) if (!texts[area]) use(loadArea(language, area))
  return texts as TextsOf<A>
}
export const useFormats = (): Formats => useSpoken().formats
export const useLanguage = (): Language => useSpoken().language
