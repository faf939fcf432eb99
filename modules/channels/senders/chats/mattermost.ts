import { LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import { hookSender, objectIn, type Judge, type Refusal } from './chats.ts'
import type { Message } from '../contract.ts'
import { escapedWithin, escapeMarkdown, inert } from './texts.ts'

const UNREADABLE: Refusal = {
  code: 'receiver_message_unreadable',
  words: 'Mattermost cannot read the message',
  kind: 'permanent',
}

/** By the id in the response. */
const REFUSALS: Record<string, Refusal> = {
  'web.incoming_webhook.invalid.app_error': {
    code: 'receiver_gone',
    words: 'The Mattermost webhook no longer exists',
    kind: 'gone',
  },
  'web.incoming_webhook.channel.app_error': {
    code: 'receiver_chat_gone',
    words: 'The Mattermost channel no longer exists',
    kind: 'gone',
  },
  'api.post.create_post.can_not_post_to_deleted.error': {
    code: 'receiver_chat_closed',
    words: 'The Mattermost channel is archived',
    kind: 'gone',
  },
  'web.incoming_webhook.disabled.app_error': {
    code: 'receiver_off',
    words: 'Webhooks are disabled in Mattermost',
  },
  'web.incoming_webhook.permissions.app_error': {
    code: 'receiver_forbidden',
    words: 'The webhook has no permission to post in this Mattermost channel',
  },
  'web.incoming_webhook.parse.app_error': UNREADABLE,
  'web.incoming_webhook.text.app_error': UNREADABLE,
}

const judge: Judge = (answer) => {
  if (answer.status === 200) return answer.body.trim() === 'ok' ? 'accepted' : undefined
  const { id } = objectIn(answer)
  return typeof id === 'string' && Object.hasOwn(REFUSALS, id) ? REFUSALS[id] : undefined
}

/** A Mattermost incoming webhook. */
export const mattermost = hookSender({
  kind: 'mattermost',
  name: 'Mattermost',
  example: 'https://mattermost.example.com/hooks/4f6a…',
  pace: null,
  judge,
  bodyOf,
})

/**
 * Mattermost first parses Slack's `<!channel>` and `<url|text>`, where it knows no backslash, and then Markdown, where it
 * knows entities.
 */
const escape = (text: string) =>
  escapeMarkdown(inert(text).replaceAll('&', '&amp;'))
    .replaceAll(String.raw`\<`, '&lt;')
    .replaceAll(String.raw`\>`, '&gt;')

/** Of one post; longer ones are split. */
const MAX_LENGTH = 16_383

function bodyOf(message: Message, link: string | null): string {
  const first = `**${escapedWithin(message.title, 500, escape)}**\n\n`
  const last = link === null ? '' : `\n\n[${LINK_LABEL}](${link})`
  const room = MAX_LENGTH - first.length - last.length
  return JSON.stringify({ text: first + escapedWithin(message.content, room, escape) + last })
}
