import { isOnline } from '../api/live/online.ts'
import { reloadPage } from '../api/reload.ts'

const RELOADED = 'zonekeeper-reloaded'
/** After this time on the page a missing chunk means another upgrade. */
const SETTLED_MS = 10_000

let isGone = false

/** A chunk failed to load, and reloading did not or could not help. */
export const isPartGone = (): boolean => isGone

/**
 * A chunk is missing, usually after an upgrade of the service. Reloads the page once; offline it doesn't, as that would
 * lose the page.
 */
export function followParts(): void {
  addEventListener('vite:preloadError', (event) => {
    // Otherwise the router reloads the page too.
    event.preventDefault()
    isGone = true
    if (!isOnline() || sessionStorage.getItem(RELOADED) !== null) return
    sessionStorage.setItem(RELOADED, '1')
    reloadPage()
  })
  addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(RELOADED), SETTLED_MS))
}
