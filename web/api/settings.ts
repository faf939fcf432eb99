import { Signal } from './live/signal.ts'

/** Preferences stored in this browser; nothing else is. */
export interface Settings {
  language: 'en' | 'zh' | null
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  /** Single-key shortcuts. */
  shortcuts: boolean
  guideClosed: boolean
  /** Id of the user whose single edits are applied immediately; other users of this browser are not affected. */
  appliesAtOnce: string | null
  /** Whether there was a session, so that resuming it is worth a request. */
  hadSession: boolean
}

const KEY = 'zonekeeper'
const DEFAULTS: Settings = {
  language: null,
  theme: 'system',
  density: 'comfortable',
  shortcuts: true,
  guideClosed: false,
  appliesAtOnce: null,
  hadSession: false,
}

/** Stored preferences; null where storage is forbidden or holds something else. */
function read(): Settings | null {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) }
  } catch {
    return null
  }
}

export const settings = new Signal<Settings>(read() ?? DEFAULTS)

// Changed by another tab.
addEventListener('storage', ({ key }) => {
  if (key === KEY) settings.set(read() ?? settings.get())
})

export function changeSettings(change: Partial<Settings>): void {
  // Another tab may just have written.
  settings.set({ ...(read() ?? settings.get()), ...change })
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()))
  } catch {
    // Storage is forbidden: the setting lasts until the page is left.
  }
}
