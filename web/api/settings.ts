import { Signal } from './signal.ts'

/** What this browser remembers of how somebody likes it: nothing else is ever stored in it. */
export interface Settings {
  language: 'en' | 'zh' | null
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  /** Shortcuts of one character. */
  shortcuts: boolean
  guideClosed: boolean
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
  hadSession: false,
}

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) }
  } catch {
    // Storage is forbidden, or holds what is not ours.
    return DEFAULTS
  }
}

export const settings = new Signal<Settings>(read())

export function changeSettings(change: Partial<Settings>): void {
  settings.set({ ...settings.get(), ...change })
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()))
  } catch {
    // Storage is forbidden: it holds until the page is left.
  }
}
