import { useState } from 'react'

/**
 * Parameters that the page was called with, taken out of the address at once: a token is not left in the history, nor
 * sent on by what one copies from the bar.
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
