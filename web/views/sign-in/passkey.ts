import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { api, data } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'

type SignedIn = Schemas['SignedIn']
type Credential = Schemas['PasskeyAssertion']

async function authenticate(useBrowserAutofill: boolean): Promise<SignedIn> {
  const optionsJSON = (await data(
    api.POST('/api/auth/passkey/options'),
  )) as unknown as PublicKeyCredentialRequestOptionsJSON
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill })
  const body = { credential: credential as unknown as Credential }
  return data(api.POST('/api/auth/passkey/login', { body })) as Promise<SignedIn>
}

/** Signs in with a passkey that is known to the device alone. Rejects when none was used. */
export const signInByPasskey = (): Promise<SignedIn> => authenticate(false)

/** Waits for a passkey to be chosen in a field with `autocomplete="webauthn"`. Answers what ends the wait. */
export function waitForPasskey(onSignedIn: (answer: SignedIn) => void): () => void {
  browserSupportsWebAuthnAutofill()
    .then((can) => (can ? authenticate(true).then(onSignedIn) : undefined))
    // None was chosen, or another ceremony began: the page goes on without.
    .catch(() => undefined)
  return () => WebAuthnAbortService.cancelCeremony()
}
