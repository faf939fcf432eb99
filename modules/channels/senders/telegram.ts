import { Type, type Static } from '@sinclair/typebox'
import { domainLink, LINK_LABEL } from '../../../plugins/events/domain-links.ts'
import { escapeHtml } from '../../../plugins/http/html.ts'
import type { Installation } from '../../../plugins/installation.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'
import { named } from '../../../schemas/named.ts'
import { checkAddress } from './addresses.ts'
import { withinReason } from './calls.ts'
import { objectIn, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { HttpAccess, Message, Sender, SendOptions } from './contract.ts'
import { inert, longest } from './texts.ts'

const Config = Type.Object(
  {
    botToken: Type.String({
      title: 'Token of the bot',
      description: 'As @BotFather says it',
      pattern: '^\\d{1,20}:[A-Za-z0-9_-]{20,100}$',
      maxLength: 121,
      writeOnly: true,
      examples: ['110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
    }),
    chatId: Type.String({
      title: 'Chat',
      description: 'The id of a chat or a group, or the @name of a public channel',
      pattern: '^(-?\\d{1,19}|@[A-Za-z]\\w{3,63})$',
      maxLength: 65,
      examples: ['-1001234567890'],
    }),
    threadId: Type.Optional(
      Type.Integer({
        title: 'Topic',
        description: 'The id of a topic of a forum group',
        minimum: 1,
        maximum: 2_147_483_647,
        examples: [42],
      }),
    ),
    apiUrl: Type.Optional(
      Type.String({
        title: 'Bot API server',
        description: 'Of your own; without it that of Telegram',
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

/** A bot of Telegram that writes to one chat, https://core.telegram.org/bots/api#sendmessage. */
export const telegram: Sender<Config> = {
  kind: 'telegram',
  schema: Config,
  // 20 a minute in a group.
  pace: { burst: 4, intervalMs: 3_300 },
  tied: { to: 'apiUrl', secrets: ['botToken'] },
  check: ({ apiUrl }) => (apiUrl === undefined ? [] : checkAddress('/apiUrl', apiUrl, 'botToken')),
  mask: (config) => ({ ...config, botToken: maskSecret(config.botToken) }),
  async send(message, config, httpAccess, options) {
    const movedTo = await tell(message, config, httpAccess, options)
    if (movedTo !== null) await tell(message, { ...config, chatId: movedTo }, httpAccess, options)
  },
}

/** Answers null when it is told, or the id that the group has now: as a supergroup it has another one. */
async function tell(
  message: Message,
  config: Config,
  httpAccess: HttpAccess,
  options: SendOptions,
): Promise<string | null> {
  const { botToken, apiUrl = API } = config
  let movedTo: string | null = null
  const judge: Judge = (answer) => {
    const { ok, description, parameters } = objectIn(answer)
    if (ok === true) return 'taken'
    if (ok !== false) return undefined
    const { retry_after: seconds, migrate_to_chat_id: id } = (parameters ?? {}) as Record<string, unknown>
    if (Number.isSafeInteger(id) && String(id) !== config.chatId) {
      movedTo = String(id)
      return 'taken'
    }
    if (typeof seconds === 'number') {
      return {
        code: 'receiver_busy',
        words: 'Telegram takes no more messages for a while',
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
      words: 'Telegram knows no such chat, or the bot is not in it',
      kind: 'gone',
    },
  ],
  [
    /message thread not found/i,
    { code: 'receiver_chat_gone', words: 'The topic in Telegram is gone', kind: 'gone' },
  ],
  [/topic_closed/i, { code: 'receiver_chat_closed', words: 'The topic in Telegram is closed' }],
  [
    /not enough rights|administrator rights/i,
    { code: 'receiver_forbidden', words: 'The bot may not write in that chat of Telegram' },
  ],
  [
    /too long|can't parse/i,
    {
      code: 'receiver_message_unreadable',
      words: 'Telegram does not understand the message',
      kind: 'permanent',
    },
  ],
]

function refusalOf(status: number, description: string): Refusal | undefined {
  // The token is a part of the path.
  if (status === 401 || status === 404) {
    return {
      code: 'receiver_credentials',
      words: 'Telegram does not accept the token of the bot',
      kind: 'gone',
    }
  }
  if (status === 403)
    return { code: 'receiver_chat_gone', words: 'The bot was put out of that chat of Telegram', kind: 'gone' }
  return BY_DESCRIPTION.find(([pattern]) => pattern.test(description))?.[1]
}

/** Counted without the markup. */
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
    // No button: Telegram refuses those whose address it can't reach.
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
