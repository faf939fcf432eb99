import { Type, type Static } from '@sinclair/typebox'
import { domainIdOf, domainLink, LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import { escapeHtml } from '../../../../plugins/http/html.ts'
import type { Installation } from '../../../../plugins/installation.ts'
import { named } from '../../../../schemas/named.ts'
import { HOOK, hookAddress, objectIn, sendToChat, type Judge } from './chats.ts'
import type { Message, Sender } from '../contract.ts'
import { bodyWithin, escapedWithin, inert } from './texts.ts'

const Config = Type.Object(
  {
    webhookUrl: hookAddress('https://chat.googleapis.com/v1/spaces/AAQA0123/messages?key=AIza…&token=kD3v…'),
    threads: Type.Optional(
      Type.Boolean({
        title: 'One thread per domain',
        description: 'Messages about the same domain are grouped',
        examples: [true],
      }),
    ),
  },
  named('GoogleChatConfig'),
)
type Config = Static<typeof Config>

const judge: Judge = (answer) => {
  const { error, name } = objectIn(answer)
  if (answer.status === 200) return typeof name === 'string' ? 'accepted' : undefined
  // The error format of all Google APIs; proxies in between respond differently.
  const { status } = (error ?? {}) as { status?: unknown }
  if (status === 'NOT_FOUND')
    return {
      code: 'receiver_gone',
      words: 'The Google Chat space or webhook no longer exists',
      kind: 'gone',
    }
  if (status === 'UNAUTHENTICATED' || answer.body.includes('API_KEY_INVALID')) {
    return {
      code: 'receiver_credentials',
      words: 'Google Chat rejects the webhook key or token',
      kind: 'gone',
    }
  }
  if (status === 'PERMISSION_DENIED')
    return { code: 'receiver_forbidden', words: 'Google Workspace settings forbid messages in this space' }
  if (status === 'INVALID_ARGUMENT')
    return {
      code: 'receiver_message_unreadable',
      words: 'Google Chat cannot read the message',
      kind: 'permanent',
    }
  return undefined
}

/** A webhook of a Google Chat space. */
export const googleChat: Sender<Config> = {
  kind: 'google_chat',
  schema: Config,
  // One per second in a space.
  pace: { burst: 1, intervalMs: 1_000 },
  ...HOOK,
  send: (message, { webhookUrl, threads = false }, httpAccess, options) => {
    const threadKey = threads ? domainIdOf(message.metadata) : null
    const url = new URL(webhookUrl)
    if (threadKey !== null) url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    const body = bodyOf(message, threadKey, httpAccess.installation)
    return sendToChat('Google Chat', httpAccess, { url: url.href, body }, options, judge)
  },
}

const MAX_BYTES = 30_000

// A card: its markup can be escaped, that of a text message can't.
function bodyOf(message: Message, threadKey: string | null, installation: Pick<Installation, 'url'>): string {
  const title = escapedWithin(message.title, 300, inert)
  const link = domainLink(message, installation)
  const button = { buttonList: { buttons: [{ text: LINK_LABEL, onClick: { openLink: { url: link } } }] } }
  return bodyWithin(
    message.content,
    (content) => ({
      // For notifications.
      fallbackText: title,
      cardsV2: [
        {
          cardId: message.id,
          card: {
            header: { title, subtitle: 'Zonekeeper' },
            sections: [
              {
                widgets: [
                  { textParagraph: { text: escapeHtml(inert(content)) } },
                  ...(link === null ? [] : [button]),
                ],
              },
            ],
          },
        },
      ],
      ...(threadKey !== null && { thread: { threadKey } }),
    }),
    MAX_BYTES,
  )
}
