import { domainLink, LINK_LABEL } from '../../../plugins/events/domain-links.ts'
import type { Installation } from '../../../plugins/installation.ts'
import { checkHook, HookConfig, maskHook, objectIn, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { Message, Sender } from './contract.ts'
import { escapedWithin, escapeMarkdown, inert } from './texts.ts'

const UNREADABLE: Refusal = {
  code: 'receiver_message_unreadable',
  words: 'Mattermost does not understand the message',
  kind: 'permanent',
}

/** By the id in the answer's body. */
const REFUSALS: Record<string, Refusal> = {
  'web.incoming_webhook.invalid.app_error': {
    code: 'receiver_gone',
    words: 'Mattermost knows the webhook no more',
    kind: 'gone',
  },
  'web.incoming_webhook.channel.app_error': {
    code: 'receiver_chat_gone',
    words: 'The channel in Mattermost is gone',
    kind: 'gone',
  },
  'api.post.create_post.can_not_post_to_deleted.error': {
    code: 'receiver_chat_closed',
    words: 'The channel in Mattermost was archived',
    kind: 'gone',
  },
  'web.incoming_webhook.disabled.app_error': {
    code: 'receiver_off',
    words: 'Webhooks are turned off in Mattermost',
  },
  'web.incoming_webhook.permissions.app_error': {
    code: 'receiver_forbidden',
    words: 'The webhook may not write in that channel of Mattermost',
  },
  'web.incoming_webhook.parse.app_error': UNREADABLE,
  'web.incoming_webhook.text.app_error': UNREADABLE,
}

const judge: Judge = (answer) => {
  if (answer.status === 200) return answer.body.trim() === 'ok' ? 'taken' : undefined
  const { id } = objectIn(answer)
  return typeof id === 'string' && Object.hasOwn(REFUSALS, id) ? REFUSALS[id] : undefined
}

/** An incoming webhook of Mattermost. */
export const mattermost: Sender<HookConfig> = {
  kind: 'mattermost',
  schema: HookConfig('https://mattermost.example.com/hooks/4f6a…'),
  pace: null,
  check: checkHook,
  mask: maskHook,
  send: (message, { webhookUrl }, httpAccess, options) =>
    sendToChat(
      'Mattermost',
      httpAccess,
      { url: webhookUrl, body: bodyOf(message, httpAccess.installation) },
      options,
      judge,
    ),
}

/**
 * It reads what Slack reads first, `<!channel>` and `<address|words>`, and does not know the backslash there; an
 * entity it knows nowhere but in Markdown.
 */
const escape = (text: string) =>
  escapeMarkdown(inert(text).replaceAll('&', '&amp;'))
    .replaceAll(String.raw`\<`, '&lt;')
    .replaceAll(String.raw`\>`, '&gt;')

/** Of one post; longer ones are cut in several. */
const MAX_LENGTH = 16_383

function bodyOf(message: Message, installation: Pick<Installation, 'url'>): string {
  const first = `**${escapedWithin(message.title, 500, escape)}**\n\n`
  const link = domainLink(message, installation)
  const last = link === null ? '' : `\n\n[${LINK_LABEL}](${link})`
  const room = MAX_LENGTH - first.length - last.length
  return JSON.stringify({ text: first + escapedWithin(message.content, room, escape) + last })
}
