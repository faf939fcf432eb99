import { createHmac } from 'node:crypto'
import { LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import type { Message } from '../contract.ts'
import { headline, MAX_BYTES, robotSender, type Meanings } from './robots.ts'
import { bodyWithin, inert } from './texts.ts'

const MEANINGS: Meanings = {
  9499: {
    code: 'receiver_message_unreadable',
    words: 'The bot cannot read the message',
    kind: 'permanent',
  },
  11232: {
    code: 'receiver_busy',
    words: 'The bot accepts 100 messages per minute and 5 per second',
    waitSeconds: 60,
  },
  19021: {
    code: 'receiver_signature',
    words: 'The signature is not valid, or the clock of this service is off by more than an hour',
  },
  19022: {
    code: 'receiver_address',
    words: 'The bot accepts no messages from the IP address of this service',
  },
  19024: { code: 'receiver_keyword', words: 'The bot requires a keyword in each message' },
}

/** A custom bot of a Feishu or Lark group. */
export const chatB = robotSender({
  kind: 'chat_b',
  example: 'https://open.feishu.cn/open-apis/bot/v2/hook/0f7b2c1e-…',
  // 5 per second and 96 per minute.
  pace: { burst: 4, intervalMs: 650 },
  // Older bots return StatusCode.
  codeOf: ({ code, StatusCode }) => code ?? StatusCode,
  meanings: MEANINGS,
  requestFor: (message, { webhookUrl, secret }, link) => ({
    url: webhookUrl,
    body: bodyOf(message, secret, link),
  }),
})

/** HMAC-SHA256 of an empty text with the key `{seconds}\n{secret}`, in base64. */
export const signChatB = (secret: string, seconds: number): string =>
  createHmac('sha256', `${seconds}\n${secret}`).update('').digest('base64')

function bodyOf(message: Message, secret: string | undefined, link: string | null): string {
  const seconds = Math.floor(Date.now() / 1000)
  const signed = secret === undefined ? {} : { timestamp: String(seconds), sign: signChatB(secret, seconds) }
  const links = link === null ? [] : [[{ tag: 'a', text: LINK_LABEL, href: link }]]
  // Text of a post can't mention anyone: that takes a tag, which we never send.
  return bodyWithin(
    inert(message.content),
    (text) => ({
      ...signed,
      msg_type: 'post',
      content: {
        post: { zh_cn: { title: inert(headline(message)), content: [[{ tag: 'text', text }], ...links] } },
      },
    }),
    MAX_BYTES,
  )
}
