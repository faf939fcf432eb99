import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { session } from '../../api/session/session.ts'
import { useMessages } from '../../ui/language.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { ownPath } from '../../search.ts'
import { Outside } from './Outside.tsx'
import { SignInSteps } from './SignInSteps.tsx'

/** Sign-in page; leads on to the page that was requested. */
export function SignIn() {
  const m = useMessages('signIn')
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/sign-in' })
  const { state } = useSyncExternalStore(session.subscribe, session.get)
  useTitle(m.signIn.title)
  useEffect(() => {
    if (state === 'in') void navigate({ href: ownPath(next), replace: true })
  }, [state, next, navigate])
  return (
    <Outside title={m.signIn.title}>
      <SignInSteps whole />
    </Outside>
  )
}
