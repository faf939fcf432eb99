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

// A part that was loaded later is gone after an upgrade: the page of the new version has others. Once, as it may be the
// network's fault.
const RELOADED = 'zonekeeper-reloaded'
addEventListener('vite:preloadError', () => {
  if (sessionStorage.getItem(RELOADED) !== null) return
  sessionStorage.setItem(RELOADED, '1')
  location.reload()
})
addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(RELOADED), 10_000))
