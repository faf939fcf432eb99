import { randomInt, timingSafeEqual } from 'node:crypto'
import { composeMail } from '../../../plugins/mail/templates.ts'
import type { MailMessage } from '../../../plugins/mail/message.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'

/* Codes that the service makes: sent by email, or kept by the user for recovery. */

export const CODE_SECONDS = 10 * 60

/** Minimum time between two emails for the same purpose. */
export const PAUSE_SECONDS = 60

const DIGITS = 6

export const newEmailCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')

/**
 * The stored form of a code. Six digits can be found by trying all, so it is keyed, not a plain digest;
 * `purpose` (a sign-in, or a user and address) makes it useless elsewhere.
 */
export const codeHash = (secrets: Secrets, purpose: string, code: string): Buffer =>
  Buffer.from(secrets.derive('email-code', `${purpose}\0${code.replaceAll(/\s/g, '')}`), 'base64url')

export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

export const signInPurpose = (challengeId: string) => `sign-in\0${challengeId}`
export const enrolmentPurpose = (userId: string, email: string) => `enrolment\0${userId}\0${email}`

export const signInCodeMail = (siteUrl: string, username: string, code: string): MailMessage =>
  composeMail({
    subject: 'Your sign-in code',
    paragraphs: [`This code completes the sign-in of ${username}. It works once, for this sign-in.`],
    code,
    closing: [
      'If you are not signing in, someone knows your password: change it. Never give this code to anyone.',
    ],
    siteUrl,
  })

export const enrolmentCodeMail = (siteUrl: string, username: string, code: string): MailMessage =>
  composeMail({
    subject: 'Your code to turn on codes by email',
    paragraphs: [`This code turns on codes by email for ${username}. It works once, for 10 minutes.`],
    code,
    closing: ['If you did not request it, someone is signed in to your account: end all other sessions.'],
    siteUrl,
  })

const RECOVERY_CODES = 10

/** Without characters that are easily confused: 0/o, 1/l/i. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Ten codes of 79 bits each, in groups that are easy to copy. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'))

const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * The stored form of a code, however it is typed. A plain digest: the codes have enough entropy, and it must
 * survive a change of SECRET_KEY.
 */
export const recoveryHash = (secrets: Secrets, userId: string, code: string): Buffer =>
  secrets.digest(`recovery\0${userId}\0${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
