import { LINK_LABEL } from '../../../../plugins/events/domain-links.ts'
import type { Level } from '../../../../schemas/events/event-catalogue.ts'
import { hookSender, objectIn, type Judge, type Refusal } from './chats.ts'
import type { Message } from '../contract.ts'
import { bodyWithin, escapedWithin, inert } from './texts.ts'

const GONE: Refusal = { code: 'receiver_gone', words: 'The Teams workflow no longer exists', kind: 'gone' }

/** By the code in the response. */
const REFUSALS: Record<string, Refusal> = {
  WorkflowNotFound: GONE,
  WorkflowTriggerNotFound: GONE,
  WorkflowTriggerIsNotEnabled: { code: 'receiver_off', words: 'The Teams workflow is disabled' },
  TriggerInputSchemaMismatch: {
    code: 'receiver_message_unreadable',
    words: 'The Teams workflow does not accept messages of this form',
  },
}

const judge: Judge = (answer) => {
  const { status } = answer
  if (status === 202 || status === 200) return 'accepted'
  const { error } = objectIn(answer)
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  // The signature in its URL was regenerated.
  if (status === 401)
    return {
      code: 'receiver_credentials',
      words: 'The Teams workflow rejects the signature in its URL; copy the URL again',
      kind: 'gone',
    }
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
}

/** A Teams workflow with the trigger "When a Teams webhook request is received". */
export const teams = hookSender({
  kind: 'teams',
  name: 'Teams',
  example: 'https://prod-01.westeurope.logic.azure.com/workflows/4f6a/triggers/manual/paths/invoke?sig=kD3v…',
  // 4 per second, with short bursts.
  pace: { burst: 3, intervalMs: 1_000 },
  judge,
  bodyOf,
})

const COLORS: Record<Level, string> = {
  info: 'Default',
  success: 'Good',
  warning: 'Warning',
  error: 'Attention',
}

/** The limit is 28 kB, including what the workflow adds. */
const MAX_BYTES = 24_000

/** Breaks the functions of cards, such as `{{DATE(…)}}`. */
const escape = (text: string) => inert(text).replaceAll('{{', '{\u200b{')

// Unlike a TextBlock, a RichTextBlock has no markup.
const block = (text: string, run: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...run }],
})

function bodyOf(message: Message, link: string | null): string {
  const title = escapedWithin(message.title, 300, escape)
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
            ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: LINK_LABEL, url: link }] }),
          },
        },
      ],
    }),
    MAX_BYTES,
  )
}
