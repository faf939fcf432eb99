import { useMessages } from '../../ui/language.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { Tokens as TokenList } from '../../ui/tokens/Tokens.tsx'

const OWN = { machineId: null }

/** The user's own tokens. */
export function Tokens() {
  const { tokens: words } = useMessages('tokens')
  useTitle(words.title)
  return (
    <>
      <h2>{words.title}</h2>
      <p>{words.about}</p>
      <TokenList holder={OWN} />
    </>
  )
}
