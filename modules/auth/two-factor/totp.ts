import { generateSecret, generateURI, verifySync } from 'otplib'
import { renderSVG } from 'uqr'

const ISSUER = 'Zonekeeper'

/** Clocks may differ by one step of 30 s in either direction (RFC 6238 section 5.2). */
const TOLERANCE_SECONDS = 30

/** 160 bits in base32, as authenticator apps expect. */
export const newSeed = (): string => generateSecret()

/** The context that binds an encrypted seed to its user. */
export const seedContext = (userId: string) => `users/${userId}/totp`

/** The app's settings: to type in, to open, and to scan. */
export function enrolment(seed: string, username: string) {
  const otpauthUrl = generateURI({ issuer: ISSUER, label: username, secret: seed })
  const svg = renderSVG(otpauthUrl, { border: 4 })
  return {
    secret: seed,
    otpauthUrl,
    qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  }
}

/**
 * Returns the time step of the code at `epoch` (seconds), or null. The database decides whether that step is
 * still unused. The library compares in constant time.
 */
export function stepOf(seed: string, code: string, epoch = Math.floor(Date.now() / 1000)): number | null {
  const token = code.replaceAll(/\s/g, '')
  // The library throws for other formats.
  if (!/^\d{6}$/.test(token)) return null
  const result = verifySync({ secret: seed, token, epoch, epochTolerance: TOLERANCE_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
