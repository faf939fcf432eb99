import { signOut } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { SignInSteps } from '../sign-in/SignInSteps.tsx'

/** Sign-in dialog after the session ended; waiting calls then continue. */
export function LapsedDialog({ username }: { username: string }) {
  const m = useMessages('shell')
  return (
    <Dialog
      title={m.shell.signInAgain}
      stays
      onClose={() => undefined}
      actions={<Button onPress={() => void signOut()}>{m.shell.signOut}</Button>}
    >
      <p>{m.shell.sessionEnded}</p>
      <SignInSteps username={username} />
    </Dialog>
  )
}
