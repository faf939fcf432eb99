import { domainLink, LINK_LABEL } from '../../../plugins/events/domain-links.ts'
import type { Installation } from '../../../plugins/installation.ts'
import { checkHook, HookConfig, maskHook, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { Message, Sender } from './contract.ts'
import { escapedWithin, inert } from './texts.ts'

const GONE: Refusal = { code: 'receiver_gone', words: 'Slack knows the webhook no more', kind: 'gone' }
const UNREADABLE: Refusal = {
  code: 'receiver_message_unreadable',
  words: 'Slack does not understand the message',
  kind: 'permanent',
}
const FORBIDDEN: Refusal = {
  code: 'receiver_forbidden',
  words: 'A setting of the Slack workspace forbids messages there',
}

/** By the word in the answer's body. */
const REFUSALS: Record<string, Refusal> = {
  no_service: GONE,
  no_service_id: GONE,
  no_team: GONE,
  team_disabled: GONE,
  invalid_token: GONE,
  channel_not_found: { code: 'receiver_chat_gone', words: 'The channel in Slack is gone', kind: 'gone' },
  channel_is_archived: {
    code: 'receiver_chat_closed',
    words: 'The channel in Slack was archived',
    kind: 'gone',
  },
  invalid_payload: UNREADABLE,
  invalid_blocks: UNREADABLE,
  no_text: UNREADABLE,
  action_prohibited: FORBIDDEN,
  posting_to_general_channel_denied: FORBIDDEN,
}

const judge: Judge = ({ status, body }) => {
  const word = body.trim()
  if (status === 200 && word === 'ok') return 'taken'
  return Object.hasOwn(REFUSALS, word) ? REFUSALS[word] : undefined
}

/** An incoming webhook of Slack. */
export const slack: Sender<HookConfig> = {
  kind: 'slack',
  schema: HookConfig('https://hooks.slack.com/services/T0123/B0123/4f6a…'),
  // One a second, and a few more at times.
  pace: { burst: 3, intervalMs: 1_000 },
  check: checkHook,
  mask: maskHook,
  send: (message, { webhookUrl }, httpAccess, options) =>
    sendToChat(
      'Slack',
      httpAccess,
      { url: webhookUrl, body: bodyOf(message, httpAccess.installation) },
      options,
      judge,
    ),
}

/** The three characters by which Slack knows mentions, links and entities. */
const escape = (text: string) =>
  inert(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string, maxLength: number) => ({
  type: 'plain_text',
  text: escapedWithin(text, maxLength, escape),
  emoji: false,
})

function bodyOf(message: Message, installation: Pick<Installation, 'url'>): string {
  const { title, content } = message
  const link = domainLink(message, installation)
  return JSON.stringify({
    // Where blocks are not shown: in notifications.
    text: escapedWithin(title, 1_000, escape),
    blocks: [
      { type: 'header', text: plain(title, 150) },
      { type: 'section', text: plain(content, 3_000) },
      // A button would call a service of ours that Slack does not know.
      ...(link === null
        ? []
        : [
            {
              type: 'section',
              text: { type: 'mrkdwn', text: `<${link.replaceAll('&', '&amp;')}|${LINK_LABEL}>` },
            },
          ]),
    ],
    unfurl_links: false,
    unfurl_media: false,
  })
}
