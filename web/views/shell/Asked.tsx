import { Suspense, useSyncExternalStore } from 'react'
import { passwordQuestion } from '../../api/fresh-sign-in.ts'
import { session } from '../../api/session.ts'
import { lazyPart } from '../../ui/lazyPart.ts'

// Seldom asked: who begins to work does not wait for dialogs.
const LapsedDialog = lazyPart(() => import('./LapsedDialog.tsx'), 'LapsedDialog', ['shell'])
const PasswordDialog = lazyPart(() => import('./PasswordDialog.tsx'), 'PasswordDialog', ['shell'])

/** What has to be asked of whoever works here: who they are, when the session has ended, and once more for what is risky. */
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
