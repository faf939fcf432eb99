import { LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import type { Level } from '../../../../schemas/events/event-catalogue.ts'
import { waitSecondsOf, withinReason } from '../calls.ts'
import { hookSender, objectIn, type Judge, type Refusal } from './chats.ts'
import type { Message } from '../contract.ts'
import { escapedWithin, escapeMarkdown, inert } from './texts.ts'

const UNREADABLE: Refusal = {
  code: 'receiver_message_unreadable',
  words: 'Discord cannot read the message',
  kind: 'permanent',
}

/** By the code in the response. */
const REFUSALS: Record<number, Refusal> = {
  10003: { code: 'receiver_chat_gone', words: 'The Discord channel no longer exists', kind: 'gone' },
  10015: { code: 'receiver_gone', words: 'The Discord webhook no longer exists', kind: 'gone' },
  50027: {
    code: 'receiver_credentials',
    words: 'Discord rejects the webhook token',
    kind: 'gone',
  },
  50006: UNREADABLE,
  50035: UNREADABLE,
}

const judge: Judge = (answer) => {
  if (answer.status === 204 || answer.status === 200) return 'accepted'
  const { code, retry_after: seconds } = objectIn(answer)
  if (answer.status === 429 && typeof seconds === 'number') {
    const waitSeconds = Math.max(withinReason(seconds), waitSecondsOf(answer))
    return { code: 'receiver_busy', words: 'Discord is rate limiting messages', waitSeconds }
  }
  return typeof code === 'number' ? REFUSALS[code] : undefined
}

/** A webhook of a Discord channel. */
export const discord = hookSender({
  kind: 'discord',
  name: 'Discord',
  example: 'https://discord.com/api/webhooks/1029384756/kD3v…',
  // 30 per minute in a channel, and 5 in two seconds.
  pace: { burst: 4, intervalMs: 2_200 },
  judge,
  bodyOf,
})

const COLORS: Record<Level, number> = {
  info: 0x0b57d0,
  success: 0x188038,
  warning: 0xe37400,
  error: 0xc5221f,
}

const escape = (text: string) => escapeMarkdown(inert(text))

function bodyOf(message: Message, link: string | null): string {
  const { title, content, level, createdAt } = message
  // In the text: Discord refuses an embed whose own URL it finds malformed.
  const last = link === null ? '' : `\n\n[${LINK_LABEL}](${link})`
  return JSON.stringify({
    embeds: [
      {
        title: escapedWithin(title, 256, escape),
        description: escapedWithin(content, 4096 - last.length, escape) + last,
        color: COLORS[level],
        timestamp: createdAt,
        footer: { text: 'Zonekeeper' },
      },
    ],
    // Mentions nobody, whatever the text contains.
    allowed_mentions: { parse: [] },
  })
}
