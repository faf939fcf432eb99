import { domainLink, LINK_LABEL } from '../../../plugins/events/domain-links.ts'
import type { Installation } from '../../../plugins/installation.ts'
import type { Level } from '../../../schemas/events/event-catalogue.ts'
import { checkHook, HookConfig, maskHook, objectIn, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { Message, Sender } from './contract.ts'
import { bodyWithin, escapedWithin, inert } from './texts.ts'

const GONE: Refusal = { code: 'receiver_gone', words: 'The workflow of Teams is gone', kind: 'gone' }

/** By the code in the answer's body. */
const REFUSALS: Record<string, Refusal> = {
  WorkflowNotFound: GONE,
  WorkflowTriggerNotFound: GONE,
  WorkflowTriggerIsNotEnabled: { code: 'receiver_off', words: 'The workflow of Teams is turned off' },
  TriggerInputSchemaMismatch: {
    code: 'receiver_message_unreadable',
    words: 'The workflow of Teams expects something else than a message',
  },
}

const judge: Judge = (answer) => {
  const { status } = answer
  if (status === 202 || status === 200) return 'taken'
  const { error } = objectIn(answer)
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  // Its address has a signature, which was made anew.
  if (status === 401)
    return {
      code: 'receiver_credentials',
      words: 'The workflow of Teams does not accept its address',
      kind: 'gone',
    }
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
}

/** A workflow of Teams that begins "when a webhook request is received". */
export const teams: Sender<HookConfig> = {
  kind: 'teams',
  schema: HookConfig(
    'https://prod-01.westeurope.logic.azure.com/workflows/4f6a/triggers/manual/paths/invoke?sig=kD3v…',
  ),
  // 4 a second, and a few more at times.
  pace: { burst: 3, intervalMs: 1_000 },
  check: checkHook,
  mask: maskHook,
  send: (message, { webhookUrl }, httpAccess, options) =>
    sendToChat(
      'Teams',
      httpAccess,
      { url: webhookUrl, body: bodyOf(message, httpAccess.installation) },
      options,
      judge,
    ),
}

const COLORS: Record<Level, string> = {
  info: 'Default',
  success: 'Good',
  warning: 'Warning',
  error: 'Attention',
}

/** It takes 28 kB, and what the workflow adds is counted. */
const MAX_BYTES = 24_000

/** A card has functions of its own, as `{{DATE(…)}}`. */
const escape = (text: string) => inert(text).replaceAll('{{', '{\u200b{')

// The rich text is the plain one: it has no markup, as the other has.
const block = (text: string, run: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...run }],
})

function bodyOf(message: Message, installation: Pick<Installation, 'url'>): string {
  const title = escapedWithin(message.title, 300, escape)
  const url = domainLink(message, installation)
  return bodyWithin(
    message.content,
    (content) => ({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              block(title, { size: 'Medium', weight: 'Bolder', color: COLORS[message.level] }),
              block(escape(content)),
            ],
            ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: LINK_LABEL, url }] }),
          },
        },
      ],
    }),
    MAX_BYTES,
  )
}
