const KEY = 'zonekeeper-invitation'

/** Keeps an invitation's code in this tab while the browser is at an external provider. */
export function keepInvitation(code: string): void {
  try {
    sessionStorage.setItem(KEY, code)
  } catch {
    // Storage is forbidden: the code is typed again.
  }
}

/** The code that was kept, this once; empty where there is none. */
export function takeInvitation(): string {
  try {
    const code = sessionStorage.getItem(KEY) ?? ''
    sessionStorage.removeItem(KEY)
    return code
  } catch {
    return ''
  }
}
