const PREFIX = 'zonekeeper-draft:'

/** Returns the ids of the domains with unapplied edits of this user in this tab. */
export function draftsOf(userId: string): ReadonlySet<string> {
  const own = `${PREFIX}${userId}:`
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '')
    return new Set(keys.filter((key) => key.startsWith(own)).map((key) => key.slice(own.length)))
  } catch {
    // Storage is forbidden, so nothing is kept.
    return new Set()
  }
}
