import { Type, type Static } from '@sinclair/typebox'
import type { HttpResponse } from '../../../plugins/outbound/http.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { named } from '../../../schemas/named.ts'
import { Address, checkAddress, maskAddress } from './addresses.ts'
import { callReceiver, waitSecondsOf } from './calls.ts'
import type { ExternalFailure, FailureCode } from '../../../schemas/failure-codes.ts'
import { DeliveryError, type FailureKind, type HttpAccess, type SendOptions } from './contract.ts'

/* What chats have in common that are told by a JSON body, and answer with a status. */

/** The address of an incoming webhook: who knows it may write there. */
export const hookAddress = (example: string) => Address('Address of the webhook', example)

export const HookConfig = (example: string) =>
  Type.Object({ webhookUrl: hookAddress(example) }, named('ChatWebhookConfig'))
export type HookConfig = Static<ReturnType<typeof HookConfig>>

export const checkHook = ({ webhookUrl }: HookConfig): FieldError[] =>
  checkAddress('/webhookUrl', webhookUrl, 'webhookUrl')

export const maskHook = <C extends HookConfig>(config: C): C => ({
  ...config,
  webhookUrl: maskAddress(config.webhookUrl),
})

/** Why a chat did not take a message, in our words. */
export interface Refusal {
  words: string
  code: FailureCode
  /** What the words name. */
  params?: ExternalFailure['params']
  kind?: FailureKind
  /** What Retry-After says when it is missing. */
  waitSeconds?: number
}

/** What an answer means; undefined: what its status says. */
export type Judge = (answer: HttpResponse) => 'taken' | Refusal | undefined

/** Tells a chat. Rejects with DeliveryError, or Interrupted. */
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
  if (verdict === 'taken') return
  const { words, waitSeconds = waitSecondsOf(answer), ...meaning } = verdict ?? byStatus(chat, answer)
  throw new DeliveryError(words, { ...meaning, waitSeconds })
}

function byStatus(chat: string, { status }: HttpResponse): Refusal {
  if (status >= 200 && status < 300)
    return { code: 'receiver_unknown', words: `What answered is not ${chat}` }
  if (status === 413)
    return { code: 'receiver_message_long', words: `${chat} finds the message too long`, kind: 'permanent' }
  if (status === 429) return { code: 'receiver_busy', words: `${chat} takes no more messages for a while` }
  return { code: 'receiver_status', words: `${chat} answered with HTTP status ${status}`, params: { status } }
}

/** The object in an answer; empty when it is none. */
export function objectIn({ body }: Pick<HttpResponse, 'body'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
