import { randomInt, timingSafeEqual } from 'node:crypto'
import { composeMail } from '../../../plugins/mail/templates.ts'
import type { MailMessage } from '../../../plugins/mail/message.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'

export const CODE_SECONDS = 10 * 60

/** Between two mails for the same purpose. */
export const PAUSE_SECONDS = 60

const DIGITS = 6

export const newEmailCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')

/**
 * What is stored of a code. Six digits are found by trying, so it takes our key and not only a digest; `place`
 * (a sign-in, or a user and address) makes it worth nothing anywhere else.
 */
export const codeHash = (secrets: Secrets, place: string, code: string): Buffer =>
  Buffer.from(secrets.derive('email-code', `${place}\0${code.replaceAll(/\s/g, '')}`), 'base64url')

export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

export const signInPlace = (challengeId: string) => `sign-in\0${challengeId}`
export const enrolmentPlace = (userId: string, email: string) => `enrolment\0${userId}\0${email}`

export const signInCodeMail = (siteUrl: string, username: string, code: string): MailMessage =>
  composeMail({
    subject: 'Your code to sign in',
    paragraphs: [`With this code you finish signing in as ${username}. It is good once, for this sign-in.`],
    code,
    closing: [
      'If you are not signing in, somebody knows your password: change it. Never tell anybody this code.',
    ],
    siteUrl,
  })

export const enrolmentCodeMail = (siteUrl: string, username: string, code: string): MailMessage =>
  composeMail({
    subject: 'Your code to turn on codes by e-mail',
    paragraphs: [
      `With this code, codes by e-mail are turned on for ${username}. It is good once, for 10 minutes.`,
    ],
    code,
    closing: ['If you did not ask for it, somebody is signed in to your account: end all other sessions.'],
    siteUrl,
  })
