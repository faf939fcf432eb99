import { Type, type Static } from '@sinclair/typebox'
import { domainLink, LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import { escapeHtml } from '../../../../plugins/http/html.ts'
import type { Installation } from '../../../../plugins/installation.ts'
import { maskSecret } from '../../../../plugins/security/masks.ts'
import { named } from '../../../../schemas/named.ts'
import { checkAddress } from '../addresses.ts'
import { withinReason } from '../calls.ts'
import { objectIn, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { HttpAccess, Message, Sender, SendOptions } from '../contract.ts'
import { inert, longest } from './texts.ts'

const Config = Type.Object(
  {
    botToken: Type.String({
      title: 'Bot token',
      description: 'From @BotFather',
      pattern: '^\\d{1,20}:[A-Za-z0-9_-]{20,100}$',
      maxLength: 121,
      writeOnly: true,
      examples: ['110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
    }),
    chatId: Type.String({
      title: 'Chat',
      description: 'The id of a chat or group, or the @name of a public channel',
      pattern: '^(-?\\d{1,19}|@[A-Za-z]\\w{3,63})$',
      maxLength: 65,
      examples: ['-1001234567890'],
    }),
    threadId: Type.Optional(
      Type.Integer({
        title: 'Topic',
        description: 'The id of a topic in a forum group',
        minimum: 1,
        maximum: 2_147_483_647,
        examples: [42],
      }),
    ),
    apiUrl: Type.Optional(
      Type.String({
        title: 'Bot API server',
        description: "URL of your own server; Telegram's if empty",
        minLength: 1,
        maxLength: 2000,
        examples: ['https://telegram.example.com'],
      }),
    ),
  },
  named('TelegramConfig'),
)
type Config = Static<typeof Config>

const API = 'https://api.telegram.org'

/** A Telegram bot that posts in one chat, https://core.telegram.org/bots/api#sendmessage. */
export const telegram: Sender<Config> = {
  kind: 'telegram',
  schema: Config,
  // 20 per minute in a group.
  pace: { burst: 4, intervalMs: 3_300 },
  tied: { to: 'apiUrl', secrets: ['botToken'] },
  check: ({ apiUrl }) => (apiUrl === undefined ? [] : checkAddress('/apiUrl', apiUrl, 'botToken')),
  mask: (config) => ({ ...config, botToken: maskSecret(config.botToken) }),
  async send(message, config, httpAccess, options) {
    const movedTo = await sendMessage(message, config, httpAccess, options)
    if (movedTo !== null) await sendMessage(message, { ...config, chatId: movedTo }, httpAccess, options)
  },
}

/** Returns null, or the new id of a group that became a supergroup. */
async function sendMessage(
  message: Message,
  config: Config,
  httpAccess: HttpAccess,
  options: SendOptions,
): Promise<string | null> {
  const { botToken, apiUrl = API } = config
  let movedTo: string | null = null
  const judge: Judge = (answer) => {
    const { ok, description, parameters } = objectIn(answer)
    if (ok === true) return 'accepted'
    if (ok !== false) return undefined
    const { retry_after: seconds, migrate_to_chat_id: id } = (parameters ?? {}) as Record<string, unknown>
    if (Number.isSafeInteger(id) && String(id) !== config.chatId) {
      movedTo = String(id)
      return 'accepted'
    }
    if (typeof seconds === 'number') {
      return {
        code: 'receiver_busy',
        words: 'Telegram is rate limiting messages',
        waitSeconds: withinReason(seconds),
      }
    }
    return refusalOf(answer.status, String(description))
  }
  const url = `${apiUrl.replace(/\/+$/, '')}/bot${botToken}/sendMessage`
  await sendToChat(
    'Telegram',
    httpAccess,
    { url, body: bodyOf(message, config, httpAccess.installation) },
    options,
    judge,
  )
  return movedTo
}

const BY_DESCRIPTION: [RegExp, Refusal][] = [
  [
    /chat not found/i,
    {
      code: 'receiver_chat_gone',
      words: 'The Telegram chat does not exist, or the bot is not in it',
      kind: 'gone',
    },
  ],
  [
    /message thread not found/i,
    { code: 'receiver_chat_gone', words: 'The Telegram topic no longer exists', kind: 'gone' },
  ],
  [/topic_closed/i, { code: 'receiver_chat_closed', words: 'The Telegram topic is closed' }],
  [
    /not enough rights|administrator rights/i,
    { code: 'receiver_forbidden', words: 'The bot has no permission to write in this Telegram chat' },
  ],
  [
    /too long|can't parse/i,
    {
      code: 'receiver_message_unreadable',
      words: 'Telegram cannot read the message',
      kind: 'permanent',
    },
  ],
]

function refusalOf(status: number, description: string): Refusal | undefined {
  // The token is part of the path.
  if (status === 401 || status === 404) {
    return {
      code: 'receiver_credentials',
      words: 'Telegram rejects the bot token',
      kind: 'gone',
    }
  }
  if (status === 403)
    return { code: 'receiver_chat_gone', words: 'The bot was removed from the Telegram chat', kind: 'gone' }
  return BY_DESCRIPTION.find(([pattern]) => pattern.test(description))?.[1]
}

/** Counted without markup. */
const MAX_LENGTH = 4096

function bodyOf(message: Message, { chatId, threadId }: Config, installation: Pick<Installation, 'url'>) {
  const title = longest(
    inert(message.title),
    (part) => part,
    ({ length }) => length <= 500,
  )
  const link = domainLink(message, installation)
  const room = MAX_LENGTH - title.length - (link === null ? 0 : LINK_LABEL.length) - 4
  const content = longest(
    inert(message.content),
    (part) => part,
    ({ length }) => length <= room,
  )
  const parts = [
    `<b>${escapeHtml(title)}</b>`,
    escapeHtml(content),
    // A link: Telegram refuses buttons whose URL it can't reach.
    ...(link === null ? [] : [`<a href="${escapeHtml(link)}">${LINK_LABEL}</a>`]),
  ]
  return JSON.stringify({
    chat_id: chatId,
    ...(threadId !== undefined && { message_thread_id: threadId }),
    text: parts.join('\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    disable_notification: message.level === 'info',
  })
}
