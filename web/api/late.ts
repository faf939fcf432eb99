/** A value that is loaded when somebody first follows it; null until it is there. */
export interface Late<T> {
  get: () => T | null
  subscribe: (listener: () => void) => () => void
}

/**
 * Loaded once, whoever follows it. The page goes on without what could not be loaded: the next who follows tries again,
 * and so does coming back to the page or to the network.
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
