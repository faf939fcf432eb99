import { Type, type Static } from '@sinclair/typebox'
import { domainLink } from '../../../../plugins/events/domain-links.ts'
import { named } from '../../../../schemas/named.ts'
import { Address, checkAddress, maskAddress } from '../addresses.ts'
import { objectIn, sendToChat, type Judge, type Refusal } from './chats.ts'
import type { Message, Sender } from '../contract.ts'
import { maskSecret } from '../../../../plugins/security/masks.ts'

/* Common parts of DingTalk and Feishu bots. */

const RobotConfig = (example: string) =>
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

/** Limit of both for one call. */
export const MAX_BYTES = 20_000

/** Begins with a keyword that both can be configured to require. */
export const headline = ({ title }: Message): string => `Zonekeeper: ${title}`

/** Refusals by the code in the response. */
export type Meanings = Record<number, Refusal>

const REFUSED: Refusal = { code: 'receiver_refused', words: 'The bot refused the message' }

interface Robot extends Pick<Sender, 'kind' | 'pace'> {
  /** Example of its webhook URL. */
  example: string
  /** The result code in a response. */
  codeOf: (answer: Record<string, unknown>) => unknown
  meanings: Meanings
  /** `link`: the domain in the console; null without one. */
  requestFor: (message: Message, config: RobotConfig, link: string | null) => { url: string; body: string }
}

/** A bot whose settings are its URL and an optional signing secret. */
export const robotSender = ({
  kind,
  pace,
  example,
  codeOf,
  meanings,
  requestFor,
}: Robot): Sender<RobotConfig> => ({
  kind,
  schema: RobotConfig(example),
  pace,
  tied: { to: 'webhookUrl', secrets: ['secret'] },
  check: ({ webhookUrl }) => checkAddress('/webhookUrl', webhookUrl, 'secret'),
  mask: ({ webhookUrl, secret }) => ({
    webhookUrl: maskAddress(webhookUrl),
    ...(secret !== undefined && { secret: maskSecret(secret) }),
  }),
  send(message, config, httpAccess, options) {
    const request = requestFor(message, config, domainLink(message, httpAccess.installation))
    return sendToChat('The bot', httpAccess, request, options, judgeBy(codeOf, meanings))
  },
})

/** The code in the body is the result, since the status is always 200. */
const judgeBy =
  (codeOf: Robot['codeOf'], meanings: Meanings): Judge =>
  (answer) => {
    const { status } = answer
    if (status !== 200) {
      const words = `The bot responded with HTTP status ${status}`
      return { code: 'receiver_status', words, params: { status } }
    }
    const code = codeOf(objectIn(answer))
    if (code === 0) return 'accepted'
    if (typeof code !== 'number')
      return { code: 'receiver_unknown', words: 'The response is not that of a bot: it has no code' }
    const { words, ...meaning } = meanings[code] ?? REFUSED
    return { ...meaning, words: `${words} (code ${code})`, params: { answer: code } }
  }
