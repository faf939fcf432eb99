import { buttonClass } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { useSignInProviders } from '../../ui/hooks/useSite.ts'
import styles from './SignIn.module.css'

/** Identity providers; the browser returns to /auth/callback. `onLeave` is called before it leaves. */
export function ProviderLinks({ onLeave }: { onLeave?: () => void }) {
  const m = useMessages('signIn')
  const providers = useSignInProviders()
  if (providers === null || providers.length === 0) return null
  return (
    <div className={styles['column']}>
      <div className={styles['or']}>{m.signIn.or}</div>
      {providers.map(({ providerId, name }) => (
        <a
          key={providerId}
          href={`/api/auth/oauth/${providerId}/authorize`}
          className={buttonClass()}
          onClick={onLeave}
        >
          {m.signIn.with(name)}
        </a>
      ))}
    </div>
  )
}
