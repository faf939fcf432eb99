import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { signedIn } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { ProviderLinks } from './ProviderLinks.tsx'
import styles from './SignIn.module.css'

// Loaded only if the service supports passkeys.
const passkeys = () => import('./passkey.ts')

interface FirstStepProps {
  onAnswer: (answer: Schemas['SignedIn'] | Schemas['SecondFactorNeeded']) => void
  whole: boolean
  username?: string
}

/** Username and password, a passkey, or an identity provider. */
export function FirstStep({ onAnswer, whole, username: known = '' }: FirstStepProps) {
  const m = useMessages('signIn')
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(false)
  const stays = useRef(rememberMe)
  const [passkeyFailed, setPasskeyFailed] = useState(false)
  const site = useSite()
  const hasPasskeys = site?.passkeys === true && 'PublicKeyCredential' in window

  // Browsers can offer passkeys in the username field.
  useEffect(() => {
    if (!hasPasskeys) return
    const end = new AbortController()
    passkeys()
      .then(({ waitForPasskey }) => waitForPasskey(() => stays.current, signedIn, end.signal))
      // Works without.
      .catch(() => undefined)
    return () => end.abort()
  }, [hasPasskeys])

  const submit = async () =>
    onAnswer(await api.POST('/api/auth/login', { body: { username, password, rememberMe } }))

  const byPasskey = async () => signedIn(await (await passkeys()).signInByPasskey(rememberMe))

  return (
    <>
      <Form fields={['username', 'password']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={m.signIn.username}
              name="username"
              autoComplete="username webauthn"
              autoFocus={known === ''}
              value={username}
              onChange={setUsername}
            />
            <TextField
              label={m.signIn.password}
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus={known !== ''}
              value={password}
              onChange={setPassword}
            />
            <Checkbox
              isSelected={rememberMe}
              onChange={(isChosen) => {
                setRememberMe(isChosen)
                stays.current = isChosen
              }}
            >
              {m.signIn.stay}
            </Checkbox>
            <Button type="submit" look="primary" isPending={isPending}>
              {m.signIn.submit}
            </Button>
          </>
        )}
      </Form>
      {hasPasskeys && (
        <div className={styles['column']}>
          <Button
            icon="key"
            onPress={() => {
              setPasskeyFailed(false)
              byPasskey().catch(() => setPasskeyFailed(true))
            }}
          >
            {m.signIn.passkey}
          </Button>
          {passkeyFailed && (
            <Note tone="warn" alert>
              {m.signIn.passkeyFailed}
            </Note>
          )}
        </div>
      )}
      {whole && <OtherWays />}
    </>
  )
}

function OtherWays() {
  const m = useMessages('signIn')
  const site = useSite()
  return (
    <>
      <ProviderLinks />
      <div className={styles['foot']}>
        {site?.emailEnabled && <a href="/reset-password">{m.signIn.forgot}</a>}
        {site && site.registration !== 'closed' && (
          <a href="/register">
            {site.registration === 'invite' ? m.signIn.haveInvitation : m.signIn.register}
          </a>
        )}
      </div>
    </>
  )
}
