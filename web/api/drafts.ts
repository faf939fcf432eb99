const PREFIX = 'zonekeeper-draft:'

/** The ids of the domains of which this tab keeps edits of a user that are not applied. */
export function draftsOf(userId: string): ReadonlySet<string> {
  const own = `${PREFIX}${userId}:`
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '')
    return new Set(keys.filter((key) => key.startsWith(own)).map((key) => key.slice(own.length)))
  } catch {
    // There is no storage: nothing is kept in it.
    return new Set()
  }
}
