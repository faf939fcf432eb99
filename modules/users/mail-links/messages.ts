import type { MailMessage } from '../../../plugins/mail/message.ts'
import { composeMail } from '../../../plugins/mail/templates.ts'

// Emails about the account. Each one says what to do if it was unexpected.

export const passwordResetMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Choose a new password',
    paragraphs: [
      `Someone requested a new password for the account ${username}. The link works once, for 30 minutes.`,
    ],
    link: { label: 'Choose a new password', url: `${siteUrl}/reset-password?token=${token}` },
    closing: ["If this wasn't you, ignore this email; your password stays unchanged."],
  })

export const welcomeMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your account is ready',
    paragraphs: [
      `An administrator created the account ${username} for you. Choose its password; the link works once, for 3 days.`,
    ],
    link: { label: 'Choose a password', url: `${siteUrl}/reset-password?token=${token}` },
    closing: ['If you did not expect this, ignore this email.'],
  })

export const confirmEmailMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Confirm your email address',
    paragraphs: [`This address was entered for the account ${username}. The link works once, for one day.`],
    link: { label: 'Confirm this address', url: `${siteUrl}/confirm-email?token=${token}` },
    closing: ["If this wasn't you, ignore this email; the address is not used without confirmation."],
  })

export const emailTakenMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your email address was entered again',
    paragraphs: [
      `Someone entered this address for another account. It belongs to the account ${username}, so nothing was changed.`,
    ],
    closing: ['If this was you, sign in to that account, or change its address first.'],
  })

export const emailChangedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: "Your account's email address has changed",
    paragraphs: [`The account ${username} now has another email address; this one no longer belongs to it.`],
    closing: ["If this wasn't you, contact the administrator of the service immediately."],
  })

export const passwordChangedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your password has changed',
    paragraphs: [`The account ${username} has a new password, and all its sessions were ended.`],
    closing: ["If this wasn't you, contact the administrator of the service immediately."],
  })

export const factorsRemovedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your second factor was removed',
    paragraphs: [
      `An administrator removed all second factors of the account ${username}, including passkeys. The password alone is now enough to sign in.`,
      'Set up a second factor again as soon as you have signed in.',
    ],
    closing: ['If you did not request this, contact the administrator of the service immediately.'],
  })

export const invitationMail = (siteUrl: string, code: string, expiresAt: Date | null): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'You are invited to Zonekeeper',
    paragraphs: [
      `You can create an account at ${siteUrl}.`,
      ...(expiresAt ? [`The invitation is valid until ${expiresAt.toISOString().slice(0, 10)}.`] : []),
    ],
    link: { label: 'Create an account', url: `${siteUrl}/register?code=${code}` },
    closing: ['If you did not expect this, ignore this email.'],
  })
