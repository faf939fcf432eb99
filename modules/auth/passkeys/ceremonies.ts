import type { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { RelyingParty } from './relying-party.ts'
import type { Assertion, Attestation } from './schemas.ts'

/** Time a person has to answer, from the options on. */
export const CEREMONY_SECONDS = 5 * 60

/** Large, and needed only for passkeys: loaded on first use. */
const library = () => import('@simplewebauthn/server')

/**
 * EdDSA, ES256 and RS256 (IANA COSE algorithms). Fixed, so that every Node version can verify what another
 * one registered: the library offers more on newer versions.
 */
const ALGORITHMS = [-8, -7, -257]

/** Maximum length of a WebAuthn credential id, in base64url characters. */
const MAX_CREDENTIAL_ID = Math.ceil((1023 * 4) / 3)

interface StoredCredential {
  credential_id: string
  public_key: Buffer
  counter: string | number
  transports: string[]
}

interface NewCredential {
  id: string
  publicKey: Buffer
  counter: number
  transports: string[]
  backedUp: boolean
  userVerified: boolean
}

export interface Use {
  counter: number
  backedUp: boolean
  userVerified: boolean
}

/** Returns options to register a passkey, with a new challenge. The user's id is the user handle. */
export const creationOptions = async (
  { id, name }: RelyingParty,
  user: { id: string; username: string; displayName: string | null },
  known: StoredCredential[],
) =>
  (await library()).generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: new TextEncoder().encode(user.id),
    userName: user.username,
    userDisplayName: user.displayName ?? user.username,
    timeout: CEREMONY_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    // Preferred, not required: a plain security key still works as a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })

/**
 * Returns options to sign in, with a new challenge: as a second factor with one of `known`, or alone (null)
 * with any passkey for this service and user verification.
 */
export const requestOptions = async ({ id }: RelyingParty, known: StoredCredential[] | null) =>
  (await library()).generateAuthenticationOptions({
    rpID: id,
    timeout: CEREMONY_SECONDS * 1000,
    userVerification: known ? 'preferred' : 'required',
    ...(known && { allowCredentials: known.map(descriptor) }),
  })

const descriptor = (known: StoredCredential) => ({
  id: known.credential_id,
  transports: known.transports,
})

/** Returns the challenge an authenticator's answer refers to; null if it is unreadable. */
export function challengeOf({ response }: Attestation | Assertion): string | null {
  try {
    const { challenge } = clientDataOf(response.clientDataJSON)
    return typeof challenge === 'string' && /^[\w-]{16,128}$/.test(challenge) ? challenge : null
  } catch {
    return null
  }
}

/** Returns the id of the user a discoverable passkey belongs to. */
export const userHandleOf = ({ response }: Assertion): string | null =>
  response.userHandle == null ? null : Buffer.from(response.userHandle, 'base64url').toString()

/** Returns the new credential, or null if the answer is invalid. Never rejects. */
export async function verifyCreation(
  rp: RelyingParty,
  answer: Attestation,
  challenge: string,
): Promise<NewCredential | null> {
  try {
    if (isFramed(answer) || (await isCertified(answer))) return null
    const { verified, registrationInfo } = await (
      await library()
    ).verifyRegistrationResponse({
      response: answer as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: rp.origins,
      expectedRPID: rp.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || registrationInfo.credential.id.length > MAX_CREDENTIAL_ID) return null
    const { credential, credentialBackedUp, userVerified } = registrationInfo
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      // Only hints for the browser; unknown values are left out.
      transports: (credential.transports ?? []).filter((transport) => /^[a-z-]{1,32}$/.test(transport)),
      backedUp: credentialBackedUp,
      userVerified,
    }
  } catch {
    return null
  }
}

/** Returns what the authenticator reported, or null if the answer is invalid. Never rejects. */
export async function verifyUse(
  rp: RelyingParty,
  answer: Assertion,
  {
    challenge,
    known,
    userVerification,
  }: {
    challenge: string
    known: StoredCredential
    /** Whether the authenticator must have verified its user, by PIN or biometrics. */
    userVerification: boolean
  },
): Promise<Use | null> {
  try {
    if (isFramed(answer)) return null
    const { verified, authenticationInfo } = await (
      await library()
    ).verifyAuthenticationResponse({
      response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: rp.origins,
      expectedRPID: rp.id,
      requireUserVerification: userVerification,
      credential: {
        id: known.credential_id,
        publicKey: new Uint8Array(known.public_key),
        counter: Number(known.counter),
        transports: known.transports,
      },
    })
    const { newCounter, credentialBackedUp, userVerified } = authenticationInfo
    return verified ? { counter: newCounter, backedUp: credentialBackedUp, userVerified } : null
  } catch {
    // The library throws for every invalid answer, including a counter that decreased.
    return null
  }
}

/**
 * Created inside another site's page: this service's pages never ask there, and the library accepts some of
 * it.
 */
const isFramed = ({ response }: Attestation | Assertion) =>
  clientDataOf(response.clientDataJSON).crossOrigin === true

/** The browser's description of the ceremony (WebAuthn section 5.8.1); throws for invalid JSON. */
const clientDataOf = (text: string) =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as { challenge?: unknown; crossOrigin?: unknown }

/**
 * Attestations with certificates were not requested, and checking them would fetch revocation lists from
 * addresses the sender chose.
 */
async function isCertified({ response }: Attestation): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = statement.get('fmt')
  return format !== 'none' && !(format === 'packed' && statement.get('attStmt').get('x5c') === undefined)
}
