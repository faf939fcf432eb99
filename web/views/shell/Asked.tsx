import { Suspense, useSyncExternalStore } from 'react'
import { passwordQuestion } from '../../api/session/fresh-sign-in.ts'
import { session } from '../../api/session/session.ts'
import { lazyPart } from '../../ui/lazyPart.ts'

// Seldom used, so not part of the first load.
const LapsedDialog = lazyPart(() => import('./LapsedDialog.tsx'), 'LapsedDialog', ['shell'])
const PasswordDialog = lazyPart(() => import('./PasswordDialog.tsx'), 'PasswordDialog', ['shell'])

/** Sign-in dialog after the session ended, and password prompt for sensitive actions. */
export function Asked() {
  const question = useSyncExternalStore(passwordQuestion.subscribe, passwordQuestion.get)
  const { state, user } = useSyncExternalStore(session.subscribe, session.get)
  return (
    <>
      <Suspense>{question && <PasswordDialog {...question} />}</Suspense>
      <Suspense>{state === 'lapsed' && <LapsedDialog username={user.username} />}</Suspense>
    </>
  )
}
