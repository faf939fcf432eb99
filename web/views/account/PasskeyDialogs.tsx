import {
  browserSupportsWebAuthn,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { withFreshSignIn } from '../../api/session/fresh-sign-in.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { visible } from '../../ui/visible.ts'

export const canMakePasskeys = (): boolean => browserSupportsWebAuthn()

interface AddProps {
  onAdded: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

/** Asks the browser for a new passkey; null if none was created. */
async function makeCredential(): Promise<Schemas['PasskeyAttestation'] | null> {
  const options = await api.POST('/api/2fa/passkeys/options')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  try {
    return (await startRegistration({ optionsJSON })) as unknown as Schemas['PasskeyAttestation']
  } catch {
    // Cancelled, timed out, or already registered on the device: browsers don't say which.
    return null
  }
}

export function AddPasskey({ onAdded, onClose }: AddProps) {
  const m = useMessages('account')
  const words = m.account.security
  const [name, setName] = useState('')
  const [isFailed, setFailed] = useState(false)
  async function submit() {
    setFailed(false)
    const credential = await makeCredential()
    if (!credential) return setFailed(true)
    const { recoveryCodes } = await withFreshSignIn((password) =>
      api.POST('/api/2fa/passkeys', { body: { name: name.trim(), credential, ...password } }),
    )
    onAdded(recoveryCodes)
  }
  return (
    <Dialog title={words.addPasskey} onClose={onClose}>
      <Form fields={['name']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={words.passkeyName}
              name="name"
              help={words.passkeyNameHelp}
              autoFocus
              autoComplete="off"
              value={name}
              onChange={setName}
            />
            {isFailed && (
              <Note tone="warn" alert>
                {words.passkeyFailed}
              </Note>
            )}
            <FormActions>
              <Button
                type="submit"
                look="primary"
                icon="key"
                isPending={isPending}
                isDisabled={name.trim() === ''}
              >
                {words.addSubmit}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

export function RenamePasskey({
  passkey: { id, name: before },
  onClose,
}: {
  passkey: Schemas['Passkey']
  onClose: () => void
}) {
  const m = useMessages('account')
  const words = m.account.security
  const [name, setName] = useState(before)
  async function submit() {
    await api.PUT('/api/2fa/passkeys/{id}', { path: { id }, body: { name: name.trim() } })
    changed('account')
    onClose()
  }
  return (
    <Dialog title={words.renameTitle(visible(before))} onClose={onClose}>
      <Form fields={['name']} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={words.passkeyName}
              name="name"
              autoFocus
              autoComplete="off"
              value={name}
              onChange={setName}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.common.save}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
