import type { Schemas } from '../api/schema.d.ts'
import { useMessages } from './language.tsx'
import { visible } from './visible.ts'

type Token = Schemas['TokenMark'] | null

/** How a request came in, as far as it is known, and the personal token that was used. */
export function Via({ origin, token }: { origin: Schemas['Origin'] | null; token: Token }) {
  const { history: words } = useMessages('history')
  const parts = [
    ...(origin === null ? [] : [words.origins[origin]]),
    ...(token === null ? [] : [words.token(visible(token.name), token.suffix)]),
  ]
  return <>{parts.join(' · ')}</>
}
