import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { changeSettings, settings } from '../api/settings.ts'
import { formatsOf, type Formats } from '../messages/formats.ts'
import type { Messages } from '../messages/en.ts'

export type Language = 'en' | 'zh'

const LOCALES: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }
export const LANGUAGES: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh', name: '简体中文' },
]

const LOAD: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('../messages/en.ts')).en,
  zh: async () => (await import('../messages/zh.ts')).zh,
}

interface Spoken {
  language: Language
  messages: Messages
  formats: Formats
}

const Context = createContext<Spoken | null>(null)

/** As chosen here, else the first of the browser's languages that we speak. */
export function chosenLanguage(): Language {
  const first = navigator.languages.find((tag) => /^(zh|en)\b/.test(tag))
  return settings.get().language ?? (first?.startsWith('zh') ? 'zh' : 'en')
}

export const load = async (language: Language): Promise<Spoken> => ({
  language,
  messages: await LOAD[language](),
  formats: formatsOf(LOCALES[language]),
})

/** The language of everything below; loaded when it is chosen, and the one before stands until then. */
export function LanguageProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  useSyncExternalStore(settings.subscribe, () => settings.get().language)
  const wanted = chosenLanguage()
  const [spoken, setSpoken] = useState(first)
  useEffect(() => {
    let isCurrent = true
    if (wanted !== spoken.language) void load(wanted).then((next) => isCurrent && setSpoken(next))
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

export const chooseLanguage = (language: Language) => changeSettings({ language })

function useSpoken(): Spoken {
  const spoken = use(Context)
  if (!spoken) throw new Error('Outside of LanguageProvider')
  return spoken
}

export const useMessages = (): Messages => useSpoken().messages
export const useFormats = (): Formats => useSpoken().formats
export const useLanguage = (): Language => useSpoken().language
