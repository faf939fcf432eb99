import type { FieldError } from '../../../plugins/http/errors.ts'
import { DeliveryError, type Message } from './contract.ts'

/* Webhook bodies from a template with placeholders such as `{{title}}`. Values are escaped, so they can't change the structure. */

export const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

export const MAX_TEMPLATE = 10_000
/** Characters of a filled template: several of our largest messages. */
const MAX_BODY = 256 * 1024

/** Values of the placeholders. `url`: of the domain, or null. */
export type Values = Message & { url: string | null }

const NAMES = ['event', 'id', 'title', 'content', 'level', 'createdAt', 'url', 'metadata']

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** Matches JSON strings first, to tell placeholders outside them; an unterminated string extends to the end. */
const STRING_OR_PLACEHOLDER = /"(?:[^"\\]|\\.)*(?:"|\\?$)|\{\{([^{}]*)\}\}/gs

/** The value of a name such as `title` or `metadata.records.0.name`; undefined if missing. */
function valueOf(name: string, values: Values): unknown {
  const [first = '', ...path] = name.split('.')
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    values[first as keyof Values],
  )
}

/** A value as text: empty for none, JSON for objects and lists. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The template with each placeholder replaced. Throws a DeliveryError if the result is too long. */
function fill(template: string, pattern: RegExp, replace: (found: string, name?: string) => string): string {
  let length = template.length
  return template.replaceAll(pattern, (found: string, name?: string) => {
    const text = replace(found, name?.trim())
    length += text.length - found.length
    if (length > MAX_BODY) {
      throw new DeliveryError('The filled template is too long', {
        code: 'template_long',
        kind: 'permanent',
      })
    }
    return text
  })
}

/** Fills in a value as text within strings of the template, and as JSON elsewhere. */
const fillJson = (template: string, values: Values) =>
  fill(template, STRING_OR_PLACEHOLDER, (found, name) =>
    name === undefined
      ? fill(found, PLACEHOLDER, (_found, inner = '') =>
          JSON.stringify(textOf(valueOf(inner, values))).slice(1, -1),
        )
      : JSON.stringify(valueOf(name, values) ?? null),
  )

const ENCODERS: Record<Exclude<ContentType, 'application/json'>, (text: string) => string> = {
  'application/x-www-form-urlencoded': (text) => encodeURIComponent(text.toWellFormed()),
  'text/plain': (text) => text,
}

/** The body sent for a message. */
export function bodyByTemplate(template: string, contentType: ContentType, values: Values): string {
  if (contentType === 'application/json') return fillJson(template, values)
  const encode = ENCODERS[contentType]
  return fill(template, PLACEHOLDER, (_found, name = '') => encode(textOf(valueOf(name, values))))
}

/** Faults of a template: unknown placeholders, and JSON that is not valid. */
export function checkTemplate(template: string, contentType: ContentType): FieldError[] {
  const path = '/template'
  const unknown = [...template.matchAll(PLACEHOLDER)]
    .map(([, name = '']) => name.trim())
    .filter((name) => !isKnown(name))
  if (unknown.length > 0) {
    const message = `has the unknown placeholder {{${unknown[0]}}}; use ${NAMES.join(', ')} or a field of metadata such as metadata.domainName`
    return [{ path, code: 'placeholder', message }]
  }
  if (contentType !== 'application/json') return []
  try {
    JSON.parse(fillJson(template, NOTHING))
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ path, code: 'json', message: `must be valid JSON after filling: ${reason}` }]
  }
}

const isKnown = (name: string): boolean =>
  NAMES.includes(name) || /^metadata(\.[A-Za-z0-9_]{1,50}){1,5}$/.test(name)

/** No values: a template that is JSON with null for each is JSON with any values. */
const NOTHING = { metadata: null } as unknown as Values
