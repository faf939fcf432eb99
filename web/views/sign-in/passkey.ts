import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'

type Session = Schemas['NewSession']

async function authenticate(useBrowserAutofill: boolean, stays: () => boolean): Promise<Session> {
  const optionsJSON = (await api.POST(
    '/api/auth/passkey/options',
  )) as unknown as PublicKeyCredentialRequestOptionsJSON
  const assertion = await startAuthentication({ optionsJSON, useBrowserAutofill })
  const credential = assertion as unknown as Schemas['PasskeyAssertion']
  return api.POST('/api/auth/passkey/login', { body: { credential, rememberMe: stays() } })
}

/** Signs in with a discoverable passkey; `stays`: keeps the session. Rejects if none was used. */
export const signInByPasskey = (stays: boolean): Promise<Session> => authenticate(false, () => stays)

/**
 * Waits until a passkey is chosen in a field with `autocomplete="webauthn"` or the signal aborts; `stays` is read then.
 */
export async function waitForPasskey(
  stays: () => boolean,
  onSignedIn: (session: Session) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  try {
    if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return
    onSignedIn(await authenticate(true, stays))
  } catch {
    // None chosen, or replaced by another request: the page works without.
  }
}
