import { settings } from '../api/settings.ts'

/** Theme and density, as somebody likes them, on the page's root: style sheets do the rest. */
export function followLooks(): void {
  const show = () => {
    const { theme, density } = settings.get()
    document.documentElement.dataset['theme'] = theme
    document.documentElement.dataset['density'] = density
  }
  show()
  settings.subscribe(show)
}
