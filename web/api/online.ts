/** To be told when the browser loses its network, or has it again. */
export function followOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const isOnline = (): boolean => navigator.onLine
