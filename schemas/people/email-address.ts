import { Type } from '@sinclair/typebox'

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const HOST_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const MAX_LENGTH = 254

/**
 * One plain mailbox of RFC 5321: no display names, lists, quotes, comments, routes, address literals or line breaks,
 * which a mail program could interpret as several recipients.
 */
export const EMAIL_PATTERN = `^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${HOST_LABEL}\\.)+${HOST_LABEL}$`

const PATTERN = new RegExp(EMAIL_PATTERN)

export const EmailAddress = Type.String({
  maxLength: MAX_LENGTH,
  pattern: EMAIL_PATTERN,
  description: 'Stored in lower case',
  examples: ['ada@example.com'],
})

export const isEmailAddress = (text: string): boolean => text.length <= MAX_LENGTH && PATTERN.test(text)
