import { isOnline } from '../api/online.ts'
import { reloadPage } from '../api/reload.ts'

const RELOADED = 'zonekeeper-reloaded'
/** After that long on the page a part that is gone is gone by another upgrade. */
const SETTLED_MS = 10_000

let isGone = false

/** A part of the page could not be loaded, and loading the page again did not help, or could not. */
export const isPartGone = (): boolean => isGone

/**
 * A part that was to be loaded later is gone after an upgrade: the page of the new version has others. It is loaded
 * again, once, as it may be the network's fault; without a network that would end it.
 */
export function followParts(): void {
  addEventListener('vite:preloadError', (event) => {
    // Else the router loads the page again, too.
    event.preventDefault()
    isGone = true
    if (!isOnline() || sessionStorage.getItem(RELOADED) !== null) return
    sessionStorage.setItem(RELOADED, '1')
    reloadPage()
  })
  addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(RELOADED), SETTLED_MS))
}
