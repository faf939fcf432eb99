import type { MailMessage } from '../../../plugins/mail/message.ts'
import { composeMail } from '../../../plugins/mail/templates.ts'

// What the account tells its holder by mail. Each message says what to do when it comes unexpected.

export const passwordResetMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Choose a new password',
    paragraphs: [
      `Somebody asked for a new password for the account ${username}. The link counts once, for 30 minutes.`,
    ],
    link: { label: 'Choose a new password', url: `${siteUrl}/reset-password?token=${token}` },
    closing: ['If it was not you, nothing needs to be done: your password stays as it is.'],
  })

export const welcomeMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your account is ready',
    paragraphs: [
      `An administrator made the account ${username} for you. Choose its password; the link counts once, for 3 days.`,
    ],
    link: { label: 'Choose a password', url: `${siteUrl}/reset-password?token=${token}` },
    closing: ['If you did not expect this, nothing needs to be done.'],
  })

export const confirmEmailMail = (siteUrl: string, username: string, token: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Confirm your e-mail address',
    paragraphs: [`This address was given for the account ${username}. The link counts once, for one day.`],
    link: { label: 'Confirm this address', url: `${siteUrl}/confirm-email?token=${token}` },
    closing: ['If it was not you, nothing needs to be done: without the link the address does not count.'],
  })

export const emailTakenMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your e-mail address was given again',
    paragraphs: [
      `Somebody gave this address for another account. It belongs to the account ${username}, so nothing was changed.`,
    ],
    closing: ['If it was you, sign in to that account, or change its address first.'],
  })

export const emailChangedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'The e-mail address of your account has changed',
    paragraphs: [
      `The account ${username} has another e-mail address now; this one does not belong to it any more.`,
    ],
    closing: ['If it was not you, tell the administrator of the service at once.'],
  })

export const passwordChangedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your password has changed',
    paragraphs: [`The account ${username} has a new password, and was signed out everywhere.`],
    closing: ['If it was not you, tell the administrator of the service at once.'],
  })

export const factorsRemovedMail = (siteUrl: string, username: string): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'Your second factor was removed',
    paragraphs: [
      `An administrator removed every second factor of the account ${username}, passkeys included. The password alone signs in now.`,
      'Set up a second factor again as soon as you have signed in.',
    ],
    closing: ['If you did not ask for this, tell the administrator of the service at once.'],
  })

export const invitationMail = (siteUrl: string, code: string, expiresAt: Date | null): MailMessage =>
  composeMail({
    siteUrl,
    subject: 'You are invited to Zonekeeper',
    paragraphs: [
      `You may make an account at ${siteUrl}.`,
      ...(expiresAt ? [`The invitation counts until ${expiresAt.toISOString().slice(0, 10)}.`] : []),
    ],
    link: { label: 'Make an account', url: `${siteUrl}/register?code=${code}` },
    closing: ['If you did not expect this, nothing needs to be done.'],
  })
