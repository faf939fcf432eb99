import { useState } from 'react'

/**
 * Reads parameters once and removes them from the address, so that a token stays neither in the history nor in copied
 * links.
 */
export function useTaken<Name extends string>(...names: Name[]): Partial<Record<Name, string>> {
  const [taken] = useState(() => {
    const { searchParams, pathname } = new URL(location.href)
    const found = names.flatMap((name) => {
      const value = searchParams.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    history.replaceState(history.state, '', pathname)
    return Object.fromEntries(found) as Partial<Record<Name, string>>
  })
  return taken
}
