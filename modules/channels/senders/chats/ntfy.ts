import { Type, type Static } from '@sinclair/typebox'
import { domainLink } from '../../../../plugins/events/domain-links.ts'
import type { Installation } from '../../../../plugins/installation.ts'
import { maskSecret } from '../../../../plugins/security/masks.ts'
import { named } from '../../../../schemas/named.ts'
import type { FieldError } from '../../../../plugins/http/errors.ts'
import type { Level } from '../../../../schemas/events/event-catalogue.ts'
import { Address, checkAddress, maskAddress } from '../addresses.ts'
import { waitSecondsOf } from '../calls.ts'
import { objectIn, sendToChat, type Judge } from './chats.ts'
import type { Message, Sender } from '../contract.ts'
import { inert, longest } from './texts.ts'

const Config = Type.Object(
  {
    url: Address('Topic URL', 'https://ntfy.sh/zonekeeper-4f6a1c'),
    token: Type.Optional(
      Type.String({
        title: 'Access token',
        description: 'Required if the topic is protected',
        pattern: '^[A-Za-z0-9_-]+$',
        minLength: 1,
        maxLength: 200,
        writeOnly: true,
        examples: ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
      }),
    ),
  },
  named('NtfyConfig'),
)
type Config = Static<typeof Config>

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/

/** The server and the topic, which goes into the JSON. */
function partsOf(address: string): { server: string; topic: string } {
  const { origin, pathname } = new URL(address)
  const path = pathname.replace(/\/+$/, '')
  const cut = path.lastIndexOf('/')
  return { server: `${origin}${path.slice(0, Math.max(cut, 0))}/`, topic: path.slice(cut + 1) }
}

function check({ url }: Config): FieldError[] {
  const faults = checkAddress('/url', url, 'token')
  if (faults.length > 0 || TOPIC.test(partsOf(url).topic)) return faults
  const message = 'must end with the topic: 1 to 64 letters, digits, - and _'
  return [{ path: '/url', code: 'ntfy_topic', message }]
}

/** Seconds to wait without Retry-After: most limits count per minute, that of messages per day. */
const waitFor = (code: unknown) => (code === 42_908 ? 3_600 : 60)

const judge: Judge = (answer) => {
  const { id, code } = objectIn(answer)
  if (answer.status === 200) return typeof id === 'string' ? 'accepted' : undefined
  if (code === 40_101) return { code: 'receiver_credentials', words: 'ntfy rejects the token', kind: 'gone' }
  if (code === 40_301)
    return { code: 'receiver_forbidden', words: 'The token has no permission to publish to this ntfy topic' }
  if (code === 41_303)
    return { code: 'receiver_message_long', words: 'The message is too long for ntfy', kind: 'permanent' }
  if (answer.status !== 429) return undefined
  const waitSeconds = waitSecondsOf(answer) || waitFor(code)
  return { code: 'receiver_busy', words: 'ntfy is rate limiting messages', waitSeconds }
}

/** An ntfy topic, https://docs.ntfy.sh/publish/#publish-as-json. */
export const ntfy: Sender<Config> = {
  kind: 'ntfy',
  schema: Config,
  // 60 at once, then one per 5 seconds, for all who share our IP address.
  pace: { burst: 20, intervalMs: 5_000 },
  tied: { to: 'url', secrets: ['token'] },
  check,
  mask: ({ url, token }) => ({
    url: maskAddress(url),
    ...(token !== undefined && { token: maskSecret(token) }),
  }),
  send: (message, { url, token }, httpAccess, options) => {
    const { server, topic } = partsOf(url)
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const body = bodyOf(message, topic, httpAccess.installation)
    return sendToChat('ntfy', httpAccess, { url: server, body, headers }, options, judge)
  },
}

const PRIORITIES: Record<Level, number> = { info: 2, success: 3, warning: 4, error: 5 }
/** Names of the emoji shown before the title. */
const TAGS: Record<Level, string> = {
  info: 'information_source',
  success: 'white_check_mark',
  warning: 'warning',
  error: 'rotating_light',
}

/** Of the text; longer texts become attachments. */
const MAX_BYTES = 4096

const within = (text: string, maxBytes: number) =>
  longest(text, inert, (part) => Buffer.byteLength(part) <= maxBytes)

function bodyOf(message: Message, topic: string, installation: Pick<Installation, 'url'>): string {
  const link = domainLink(message, installation)
  return JSON.stringify({
    topic,
    title: within(message.title, 250),
    message: within(message.content, MAX_BYTES),
    priority: PRIORITIES[message.level],
    tags: [TAGS[message.level]],
    ...(link !== null && { click: link }),
  })
}
