import { Type, type Static } from '@sinclair/typebox'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { named } from '../../../schemas/named.ts'
import { Address, checkAddress, maskAddress } from './addresses.ts'
import { callReceiver, waitSecondsOf } from './calls.ts'
import { objectIn, type Refusal } from './chats.ts'
import { DeliveryError, type Message, type HttpAccess, type SendOptions } from './contract.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'

/* Common parts of DingTalk and Feishu bots. */

export const RobotConfig = (example: string) =>
  Type.Object(
    {
      webhookUrl: Address('Webhook URL of the bot', example),
      secret: Type.Optional(
        Type.String({
          title: 'Signing secret',
          description: 'Required if the bot checks signatures',
          minLength: 1,
          maxLength: 200,
          writeOnly: true,
          examples: ['SEC0123456789abcdef'],
        }),
      ),
    },
    named('ChatConfig'),
  )
export type RobotConfig = Static<ReturnType<typeof RobotConfig>>

/** See Sender. */
export const ROBOT_TIES = { to: 'webhookUrl', secrets: ['secret'] } as const

export const checkRobot = ({ webhookUrl }: RobotConfig): FieldError[] =>
  checkAddress('/webhookUrl', webhookUrl, 'secret')

export const maskRobot = ({ webhookUrl, secret }: RobotConfig) => ({
  webhookUrl: maskAddress(webhookUrl),
  ...(secret !== undefined && { secret: maskSecret(secret) }),
})

/** Limit of both for one call. */
export const MAX_BYTES = 20_000

/** Begins with a keyword that both can be configured to require. */
export const headline = ({ title }: Message): string => `Zonekeeper: ${title}`

/** Refusals by the code in the response. */
export type Meanings = Record<number, Refusal>

const REFUSED: Refusal = { code: 'receiver_refused', words: 'The bot refused the message' }

/** Sends a message to the bot; the code in the body is its result, since the status is always 200. */
export async function postToRobot(
  httpAccess: HttpAccess,
  request: { url: string; body: string },
  options: SendOptions,
  { codeOf, meanings }: { codeOf: (answer: Record<string, unknown>) => unknown; meanings: Meanings },
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await callReceiver(httpAccess, { ...request, headers }, options)
  if (answer.status !== 200) {
    const waitSeconds = waitSecondsOf(answer)
    const { status } = answer
    throw new DeliveryError(`The bot responded with HTTP status ${status}`, {
      code: 'receiver_status',
      params: { status },
      waitSeconds,
    })
  }
  const code = codeOf(objectIn(answer))
  if (code === 0) return
  if (typeof code !== 'number')
    throw new DeliveryError('The response is not that of a bot: it has no code', { code: 'receiver_unknown' })
  const { words, ...meaning } = meanings[code] ?? REFUSED
  throw new DeliveryError(`${words} (code ${code})`, { ...meaning, params: { answer: code } })
}
