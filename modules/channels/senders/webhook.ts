import { createHmac } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { domainLink } from '../../../plugins/events/domain-links.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { Installation } from '../../../plugins/installation.ts'
import { Address, checkAddress, maskAddress } from './addresses.ts'
import { callReceiver, waitSecondsOf } from './calls.ts'
import { DeliveryError, type Message, type Sender } from './contract.ts'
import { bodyByTemplate, checkTemplate, CONTENT_TYPES, MAX_TEMPLATE, type ContentType } from './template.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'
import { named } from '../../../schemas/named.ts'
import { OneOf } from '../../../schemas/scalars.ts'

const Config = Type.Object(
  {
    url: Address('URL', 'https://hooks.example.com/zonekeeper'),
    secret: Type.Optional(
      Type.String({
        title: 'Signing secret',
        description: '`whsec_` and the base64 of 24 to 64 bytes, or any text of at least 16 characters',
        minLength: 16,
        maxLength: 200,
        writeOnly: true,
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
        title: 'Additional headers',
        maxProperties: 20,
        writeOnly: true,
        examples: [{ authorization: 'Bearer a-token-of-the-receiver' }],
      }),
    ),
    template: Type.Optional(
      Type.String({
        title: 'Body template',
        description:
          'Replaces the default body. Placeholders: `{{event}}`, `{{id}}`, `{{title}}`, `{{content}}`, `{{level}}`, `{{createdAt}}`, `{{url}}`, `{{metadata}}` and `{{metadata.…}}`',
        minLength: 1,
        maxLength: MAX_TEMPLATE,
        examples: ['{"text": "{{title}}", "daysLeft": {{metadata.daysLeft}}}'],
      }),
    ),
    contentType: Type.Optional(
      OneOf(CONTENT_TYPES, {
        ...named('TemplateType'),
        title: 'Content type of the template',
        description: 'Default: `application/json`',
        examples: ['application/json'],
      }),
    ),
  },
  named('WebhookConfig'),
)
type Config = Static<typeof Config>

/** Any HTTP receiver, called as specified by https://www.standardwebhooks.com. */
export const webhook: Sender<Config> = {
  kind: 'webhook',
  schema: Config,
  // The receiver limits the rate itself, with 429 and Retry-After.
  pace: null,
  tied: { to: 'url', secrets: ['secret', 'headers'] },
  check: ({ url, secret, headers = {}, template, contentType }) => [
    ...checkAddress('/url', url, 'headers'),
    ...(secret === undefined ? [] : checkSecret(secret)),
    ...checkHeaders(headers),
    ...(template === undefined
      ? checkNoTemplate(contentType)
      : checkTemplate(template, contentType ?? JSON_TYPE)),
  ],
  mask: ({ url, secret, headers, ...shown }) => ({
    ...shown,
    url: maskAddress(url),
    ...(secret !== undefined && { secret: maskSecret(secret) }),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskSecret(value)])),
    }),
  }),
  async send(message, config, httpAccess, options) {
    const { url, secret, headers = {}, contentType = JSON_TYPE } = config
    const seconds = Math.floor(Date.now() / 1000)
    const body = bodyOf(message, config, httpAccess.installation)
    const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const answer = await callReceiver(
      httpAccess,
      {
        url,
        body,
        headers: {
          ...Object.fromEntries(own),
          'content-type': contentType,
          'webhook-id': message.id,
          'webhook-timestamp': String(seconds),
          ...(secret !== undefined && {
            'webhook-signature': signWebhook(secret, message.id, seconds, body),
          }),
        },
      },
      options,
    )
    if (answer.status >= 200 && answer.status < 300) return
    if (answer.status === 410)
      throw new DeliveryError('The receiver no longer exists (HTTP status 410)', {
        code: 'receiver_gone',
        kind: 'gone',
      })
    const waitSeconds = waitSecondsOf(answer)
    const { status } = answer
    throw new DeliveryError(`The receiver responded with HTTP status ${status}`, {
      code: 'receiver_status',
      params: { status },
      waitSeconds,
    })
  },
}

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body`, in base64. */
export function signWebhook(secret: string, id: string, seconds: number, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

const PREFIX = 'whsec_'

const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

function checkSecret(secret: string): FieldError[] {
  if (!secret.startsWith(PREFIX)) return []
  const key = keyOf(secret)
  const isBase64 =
    key.toString('base64').replace(/=+$/, '') === secret.slice(PREFIX.length).replace(/=+$/, '')
  if (isBase64 && key.length >= 24 && key.length <= 64) return []
  return [
    {
      path: '/secret',
      code: 'webhook_secret',
      message: 'must contain the base64 of 24 to 64 bytes after whsec_',
    },
  ]
}

/** A token (RFC 9110 section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible characters with spaces between them, so that no line can be added. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
/** Set by the protocol or the connection. */
const RESERVED =
  /^(?:host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|content-.*|webhook-.*)$/i

function checkHeaders(headers: Record<string, string>): FieldError[] {
  const names = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]): FieldError[] => {
    const path = `/headers/${name}`
    const fault = NAME.test(name)
      ? VALUE.test(value)
        ? ''
        : 'must be visible ASCII characters'
      : 'is not a valid header name'
    if (fault !== '') return [{ path, code: 'header', message: fault }]
    if (RESERVED.test(name)) return [{ path, code: 'reserved', message: 'is set by the service' }]
    if (names.has(name.toLowerCase())) return [{ path, code: 'duplicate', message: 'is duplicated' }]
    names.add(name.toLowerCase())
    return []
  })
}

const JSON_TYPE = 'application/json'

const checkNoTemplate = (contentType: ContentType | undefined): FieldError[] =>
  contentType === undefined || contentType === JSON_TYPE
    ? []
    : [{ path: '/contentType', code: 'no_template', message: 'requires a template' }]

function bodyOf(
  message: Message,
  { template, contentType = JSON_TYPE }: Config,
  installation: Pick<Installation, 'url'>,
): string {
  const { event, id, title, content, level, metadata, createdAt } = message
  const told = { event, id, title, content, level, metadata, createdAt }
  if (template === undefined) return JSON.stringify(told)
  return bodyByTemplate(template, contentType, { ...told, url: domainLink(message, installation) })
}
