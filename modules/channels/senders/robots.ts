import { Type, type Static } from '@sinclair/typebox'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { named } from '../../../schemas/named.ts'
import { Address, checkAddress, maskAddress } from './addresses.ts'
import { callReceiver, waitSecondsOf } from './calls.ts'
import { objectIn, type Refusal } from './chats.ts'
import { DeliveryError, type Message, type HttpAccess, type SendOptions } from './contract.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'

/* What the robots of the team chats have in common. */

export const RobotConfig = (example: string) =>
  Type.Object(
    {
      webhookUrl: Address('Address of the robot', example),
      secret: Type.Optional(
        Type.String({
          title: 'Secret for signing',
          description: 'Where the robot is set to check signatures',
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

/** Both take no more in one call. */
export const MAX_BYTES = 20_000

/** The word that both may be told to look for in what they pass on. */
export const headline = ({ title }: Message): string => `Zonekeeper: ${title}`

/** What an answer's code means, in words. */
export type Meanings = Record<number, Refusal>

const REFUSED: Refusal = { code: 'receiver_refused', words: 'The robot refused the message' }

/** Tells the robot, and judges by the code in the body: the status is 200 whatever happened. */
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
    throw new DeliveryError(`The robot answered with HTTP status ${status}`, {
      code: 'receiver_status',
      params: { status },
      waitSeconds,
    })
  }
  const code = codeOf(objectIn(answer))
  if (code === 0) return
  if (typeof code !== 'number')
    throw new DeliveryError('What answered is no robot: its answer has no code', { code: 'receiver_unknown' })
  const { words, ...meaning } = meanings[code] ?? REFUSED
  throw new DeliveryError(`${words} (code ${code})`, { ...meaning, params: { answer: code } })
}
