import { Signal } from './signal.ts'

/** What this browser remembers of how somebody likes it: nothing else is ever stored in it. */
export interface Settings {
  language: 'en' | 'zh' | null
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  /** Shortcuts of one character. */
  shortcuts: boolean
  guideClosed: boolean
  /** The id of the user who wants single edits applied at once: not whoever else signs in here. */
  appliesAtOnce: string | null
  /** There was a session, so that it is worth asking for it at the start. */
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

/** What is stored; null where storage is forbidden, or holds what is not ours. */
function read(): Settings | null {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) }
  } catch {
    return null
  }
}

export const settings = new Signal<Settings>(read() ?? DEFAULTS)

// Another tab has changed them.
addEventListener('storage', ({ key }) => {
  if (key === KEY) settings.set(read() ?? settings.get())
})

export function changeSettings(change: Partial<Settings>): void {
  // Upon what another tab may just have stored.
  settings.set({ ...(read() ?? settings.get()), ...change })
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()))
  } catch {
    // Storage is forbidden: it holds until the page is left.
  }
}
