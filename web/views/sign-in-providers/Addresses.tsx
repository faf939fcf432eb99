import { useMessages } from '../../ui/language.tsx'
import { Copied } from '../../ui/page/Page.tsx'

interface AddressesProps {
  homepageUrl: string
  redirectUrl: string
}

/** URLs to register at an identity provider. */
export function Addresses({ homepageUrl, redirectUrl }: AddressesProps) {
  const { signInProviders: words } = useMessages('signInProviders')
  return (
    <>
      <h3>{words.addresses}</h3>
      <div>
        <span className="muted">{words.redirect}</span>
        <Copied label={words.redirect} text={redirectUrl} />
      </div>
      <div>
        <span className="muted">{words.homepage}</span>
        <Copied label={words.homepage} text={homepageUrl} />
      </div>
    </>
  )
}
