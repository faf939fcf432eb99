import { Outlet } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore } from 'react'
import { passwordQuestion } from '../../api/fresh-sign-in.ts'
import { lazyPart } from '../../ui/lazyPart.ts'
import { Toasts } from '../../ui/Toast.tsx'

// Seldom asked: who signs in does not wait for dialogs.
const PasswordDialog = lazyPart(() => import('./PasswordDialog.tsx'), 'PasswordDialog', ['shell', 'signIn'])

/** What is there on every page, signed in or not. */
export function Root() {
  const question = useSyncExternalStore(passwordQuestion.subscribe, passwordQuestion.get)
  return (
    <>
      <Outlet />
      {question && (
        <Suspense>
          <PasswordDialog {...question} />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}
