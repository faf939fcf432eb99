import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { session, signedIn } from '../../api/session/session.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { keepInvitation, takeInvitation } from './invitation.ts'
import { Outside } from './Outside.tsx'
import { ProviderLinks } from './ProviderLinks.tsx'
import { useTaken } from './taken.ts'

/** Registration with an invitation, or after an identity provider's sign-in. */
export function Register() {
  const m = useMessages('register')
  useTitle(m.register.title)
  const {
    code,
    pending_token: pendingToken,
    provider_id: providerId,
  } = useTaken('code', 'pending_token', 'provider_id')
  const navigate = useNavigate()
  const hasNothing = code === undefined && pendingToken === undefined
  useEffect(() => {
    // Someone signed in may have created another account; start over with that.
    if (hasNothing && session.get().state === 'in') void navigate({ to: '/', replace: true })
  }, [hasNothing, navigate])
  return (
    <Outside title={m.register.title}>
      {pendingToken !== undefined && providerId !== undefined ? (
        <ByProvider pendingToken={pendingToken} providerId={providerId} />
      ) : (
        <ByInvitation code={code ?? ''} />
      )}
    </Outside>
  )
}

function ByInvitation({ code }: { code: string }) {
  const m = useMessages('register', 'signIn')
  const navigate = useNavigate()
  const site = useSite()
  const isOpen = site?.registration === 'open'
  const [inviteCode, setCode] = useState(code)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState('')
  async function submit() {
    const body = {
      username,
      password,
      ...(inviteCode !== '' && { inviteCode }),
      ...(email !== '' && { email }),
    }
    signedIn(await api.POST('/api/auth/register', { body }))
    await navigate({ to: '/' })
  }
  return (
    <Form fields={['inviteCode', 'username', 'password', 'email']} onSubmit={submit}>
      {(isPending) => (
        <>
          <TextField
            label={m.register.code}
            help={m.register.codeHelp}
            name="inviteCode"
            optional={isOpen}
            mono
            autoComplete="off"
            value={inviteCode}
            onChange={setCode}
          />
          <TextField
            label={m.register.username}
            name="username"
            autoComplete="username"
            autoFocus
            value={username}
            onChange={setUsername}
          />
          <TextField
            label={m.signIn.password}
            help={m.register.passwordHelp}
            name="password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
          <TextField
            label={m.register.email}
            name="email"
            type="email"
            optional
            autoComplete="email"
            value={email}
            onChange={setEmail}
          />
          <Button type="submit" look="primary" isPending={isPending}>
            {m.register.submit}
          </Button>
          <ProviderLinks onLeave={() => keepInvitation(inviteCode.trim())} />
          <a href="/sign-in">{m.register.haveAccount}</a>
        </>
      )}
    </Form>
  )
}

function ByProvider({ pendingToken, providerId }: { pendingToken: string; providerId: string }) {
  const m = useMessages('register')
  const navigate = useNavigate()
  const [inviteCode, setCode] = useState(takeInvitation)
  const [username, setUsername] = useState('')
  async function submit() {
    const params = { path: { providerId: providerId as Schemas['OAuthProviderId'] } }
    const body = { pendingToken, inviteCode, ...(username !== '' && { username }) }
    signedIn(await api.POST('/api/auth/oauth/{providerId}/register', { ...params, body }))
    await navigate({ to: '/' })
  }
  return (
    <Form fields={['inviteCode', 'username']} onSubmit={submit}>
      {(isPending) => (
        <>
          <p>{m.register.external}</p>
          <TextField
            label={m.register.code}
            name="inviteCode"
            mono
            autoFocus
            autoComplete="off"
            value={inviteCode}
            onChange={setCode}
          />
          <TextField
            label={m.register.username}
            help={m.register.usernameHelp}
            name="username"
            optional
            autoComplete="username"
            value={username}
            onChange={setUsername}
          />
          <Button type="submit" look="primary" isPending={isPending}>
            {m.register.submit}
          </Button>
        </>
      )}
    </Form>
  )
}
