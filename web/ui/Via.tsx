import type { Schemas } from '../api/schema.d.ts'
import { useMessages } from './language.tsx'
import { visible } from './visible.ts'

type Token = Schemas['TokenMark'] | null

/** Origin of a request, if known, and the token used. */
export function Via({ origin, token }: { origin: Schemas['Origin'] | null; token: Token }) {
  const { history: words } = useMessages('history')
  const parts = [
    ...(origin === null ? [] : [words.origins[origin]]),
    ...(token === null ? [] : [words.token(visible(token.name), token.suffix)]),
  ]
  return <>{parts.join(' · ')}</>
}
