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

/**
 * Signs in with a passkey that is known to the device alone; `stays`: the browser remembers it. Rejects when none was
 * used.
 */
export const signInByPasskey = (stays: boolean): Promise<Session> => authenticate(false, () => stays)

/**
 * Waits for a passkey to be chosen in a field with `autocomplete="webauthn"`, until the signal aborts; `stays` is asked
 * when one was.
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
    // None was chosen, or another ceremony began: the page goes on without.
  }
}
