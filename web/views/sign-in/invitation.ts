const KEY = 'zonekeeper-invitation'

/** Keeps an invitation code in this tab while the browser is at an identity provider. */
export function keepInvitation(code: string): void {
  try {
    sessionStorage.setItem(KEY, code)
  } catch {
    // Storage is forbidden: the code has to be typed again.
  }
}

/** Takes the kept code; empty if none is kept. */
export function takeInvitation(): string {
  try {
    const code = sessionStorage.getItem(KEY) ?? ''
    sessionStorage.removeItem(KEY)
    return code
  } catch {
    return ''
  }
}
