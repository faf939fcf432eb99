import { Type, type Static } from '@sinclair/typebox'
import { domainLink } from '../../../../plugins/events/domain-links.ts'
import type { HttpResponse } from '../../../../plugins/outbound/http.ts'
import type { FieldError } from '../../../../plugins/http/errors.ts'
import { named } from '../../../../schemas/named.ts'
import { Address, checkAddress, maskAddress } from '../addresses.ts'
import { callReceiver, waitSecondsOf } from '../calls.ts'
import type { ExternalFailure, FailureCode } from '../../../../schemas/codes/failure-codes.ts'
import {
  DeliveryError,
  type FailureKind,
  type HttpAccess,
  type Message,
  type Sender,
  type SendOptions,
} from '../contract.ts'

/* Common parts of chats that take a JSON body and respond with a status. */

/** The URL of an incoming webhook: knowing it is enough to post. */
export const hookAddress = (example: string) => Address('Webhook URL', example)

const HookConfig = (example: string) =>
  Type.Object({ webhookUrl: hookAddress(example) }, named('ChatWebhookConfig'))
type HookConfig = Static<ReturnType<typeof HookConfig>>

/** Parts of a sender that posts to an incoming webhook. */
export const HOOK = {
  check: ({ webhookUrl }: HookConfig): FieldError[] => checkAddress('/webhookUrl', webhookUrl, 'webhookUrl'),
  mask: <C extends HookConfig>(config: C): C => ({ ...config, webhookUrl: maskAddress(config.webhookUrl) }),
}

/** Why a chat refused a message, in our words. */
export interface Refusal {
  words: string
  code: FailureCode
  /** Values in the words. */
  params?: ExternalFailure['params']
  kind?: FailureKind
  /** In place of a missing Retry-After. */
  waitSeconds?: number
}

/** The meaning of a response; undefined if its status tells. */
export type Judge = (answer: HttpResponse) => 'accepted' | Refusal | undefined

/** Sends a message to a chat. Rejects with DeliveryError or Interrupted. */
export async function sendToChat(
  chat: string,
  httpAccess: HttpAccess,
  { url, body, headers }: { url: string; body: string; headers?: Record<string, string> },
  options: SendOptions,
  judge: Judge,
): Promise<void> {
  const answer = await callReceiver(
    httpAccess,
    { url, body, headers: { ...headers, 'content-type': 'application/json' } },
    options,
  )
  const verdict = judge(answer)
  if (verdict === 'accepted') return
  const { words, waitSeconds = waitSecondsOf(answer), ...meaning } = verdict ?? byStatus(chat, answer)
  throw new DeliveryError(words, { ...meaning, waitSeconds })
}

interface HookChat extends Pick<Sender, 'kind' | 'pace'> {
  /** Name of the chat, for errors. */
  name: string
  /** Example of its webhook URL. */
  example: string
  judge: Judge
  /** `link`: the domain in the console; null without one. */
  bodyOf: (message: Message, link: string | null) => string
}

/** A chat whose only setting is the URL of an incoming webhook. */
export const hookSender = ({ kind, pace, name, example, judge, bodyOf }: HookChat): Sender<HookConfig> => ({
  kind,
  schema: HookConfig(example),
  pace,
  ...HOOK,
  send(message, { webhookUrl: url }, httpAccess, options) {
    const body = bodyOf(message, domainLink(message, httpAccess.installation))
    return sendToChat(name, httpAccess, { url, body }, options, judge)
  },
})

function byStatus(chat: string, { status }: HttpResponse): Refusal {
  if (status >= 200 && status < 300)
    return { code: 'receiver_unknown', words: `The response is not that of ${chat}` }
  if (status === 413)
    return { code: 'receiver_message_long', words: `The message is too long for ${chat}`, kind: 'permanent' }
  if (status === 429) return { code: 'receiver_busy', words: `${chat} is rate limiting messages` }
  return {
    code: 'receiver_status',
    words: `${chat} responded with HTTP status ${status}`,
    params: { status },
  }
}

/** The JSON object in a response; empty if the response has none. */
export function objectIn({ body }: Pick<HttpResponse, 'body'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
