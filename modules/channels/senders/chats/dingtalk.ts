import { createHmac } from 'node:crypto'
import type { Message } from '../contract.ts'
import { headline, MAX_BYTES, robotSender, type Meanings } from './robots.ts'
import { bodyWithin, inert } from './texts.ts'

const MEANINGS: Meanings = {
  [-1]: { code: 'receiver_busy', words: 'The bot is busy' },
  130101: {
    code: 'receiver_busy',
    words: 'The bot accepts 20 messages per minute and is blocked for 10 minutes',
    waitSeconds: 600,
  },
  310000: {
    code: 'receiver_security',
    words: "The bot's security settings reject the message; check the signature, keyword and IP address",
  },
  460101: { code: 'receiver_message_long', words: 'The message is too long', kind: 'permanent' },
}

/** A DingTalk group bot. */
export const chatA = robotSender({
  kind: 'chat_a',
  example: 'https://oapi.dingtalk.com/robot/send?access_token=5f3c…',
  // 20 per minute.
  pace: { burst: 8, intervalMs: 5_000 },
  codeOf: ({ errcode }) => errcode,
  meanings: MEANINGS,
  requestFor: (message, { webhookUrl, secret }, link) => ({
    url: signedAddress(webhookUrl, secret),
    body: bodyOf(message, link),
  }),
})

/** HMAC-SHA256 of `{ms}\n{secret}` with the secret as key, in base64, for the query. */
export const signChatA = (secret: string, ms: number): string =>
  createHmac('sha256', secret).update(`${ms}\n${secret}`).digest('base64')

function signedAddress(webhookUrl: string, secret: string | undefined): string {
  if (secret === undefined) return webhookUrl
  const url = new URL(webhookUrl)
  const ms = Date.now()
  url.searchParams.set('timestamp', String(ms))
  // URLSearchParams encodes it.
  url.searchParams.set('sign', signChatA(secret, ms))
  return url.href
}

function bodyOf(message: Message, link: string | null): string {
  const last = link === null ? '' : `\n${link}`
  return bodyWithin(
    inert(`${headline(message)}\n${message.content}`),
    (text) => ({ msgtype: 'text', text: { content: text + last }, at: { isAtAll: false } }),
    MAX_BYTES,
  )
}
