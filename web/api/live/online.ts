/** Calls the listener when the browser goes offline or online. */
export function followOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const isOnline = (): boolean => navigator.onLine
