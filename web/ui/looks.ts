import { settings } from '../api/settings.ts'

/** Puts theme and density on the root element; style sheets do the rest. */
export function followLooks(): void {
  const show = () => {
    const { theme, density } = settings.get()
    document.documentElement.dataset['theme'] = theme
    document.documentElement.dataset['density'] = density
  }
  show()
  settings.subscribe(show)
}
