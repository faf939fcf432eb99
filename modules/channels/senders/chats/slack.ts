import { LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import { hookSender, type Judge, type Refusal } from './chats.ts'
import type { Message } from '../contract.ts'
import { escapedWithin, inert } from './texts.ts'

const GONE: Refusal = { code: 'receiver_gone', words: 'The Slack webhook no longer exists', kind: 'gone' }
const UNREADABLE: Refusal = {
  code: 'receiver_message_unreadable',
  words: 'Slack cannot read the message',
  kind: 'permanent',
}
const FORBIDDEN: Refusal = {
  code: 'receiver_forbidden',
  words: 'Slack workspace settings forbid messages in this channel',
}

/** By the word in the response. */
const REFUSALS: Record<string, Refusal> = {
  no_service: GONE,
  no_service_id: GONE,
  no_team: GONE,
  team_disabled: GONE,
  invalid_token: GONE,
  channel_not_found: {
    code: 'receiver_chat_gone',
    words: 'The Slack channel no longer exists',
    kind: 'gone',
  },
  channel_is_archived: {
    code: 'receiver_chat_closed',
    words: 'The Slack channel is archived',
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
  if (status === 200 && word === 'ok') return 'accepted'
  return Object.hasOwn(REFUSALS, word) ? REFUSALS[word] : undefined
}

/** A Slack incoming webhook. */
export const slack = hookSender({
  kind: 'slack',
  name: 'Slack',
  example: 'https://hooks.slack.com/services/T0123/B0123/4f6a…',
  // One per second, with short bursts.
  pace: { burst: 3, intervalMs: 1_000 },
  judge,
  bodyOf,
})

/** Escapes the characters of Slack's mentions, links and entities. */
const escape = (text: string) =>
  inert(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string, maxLength: number) => ({
  type: 'plain_text',
  text: escapedWithin(text, maxLength, escape),
  emoji: false,
})

function bodyOf(message: Message, link: string | null): string {
  const { title, content } = message
  return JSON.stringify({
    // For notifications, which don't show blocks.
    text: escapedWithin(title, 1_000, escape),
    blocks: [
      { type: 'header', text: plain(title, 150) },
      { type: 'section', text: plain(content, 3_000) },
      // A link: a button would need a Slack app.
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
