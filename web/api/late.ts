/** A value that is loaded when first subscribed to; null until then. */
export interface Late<T> {
  get: () => T | null
  subscribe: (listener: () => void) => () => void
}

/**
 * Loads once for all subscribers. After a failure, the next subscriber tries again, and so does returning to the page or
 * to the network.
 */
export function late<T>(load: () => Promise<T>): Late<T> {
  let value: T | null = null
  let isLoading = false
  const listeners = new Set<() => void>()
  async function begin() {
    if (isLoading || value !== null) return
    isLoading = true
    try {
      value = await load()
      for (const listener of listeners) listener()
    } catch {
      const again = () => void begin()
      addEventListener('focus', again, { once: true })
      addEventListener('online', again, { once: true })
    } finally {
      isLoading = false
    }
  }
  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      void begin()
      return () => listeners.delete(listener)
    },
  }
}
