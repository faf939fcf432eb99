import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { invalid, type FieldError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The member of the body that is a list of which each entry is judged on its own, by the route. */
    entries?: string
  }
}

/** Of a route that takes no body, where clients send an empty object. */
const NO_BODY_BYTES = 1024
/** Of a route that anybody may call. */
const PUBLIC_BYTES = 16 * 1024
/** Of any other that does not say how much it takes. */
const BYTES = 64 * 1024

/** Ours have four levels at most; thousands would overflow the stack of whatever walks them. */
const MAX_DEPTH = 32

/** As much as a body may hold, with so many bytes for each value: what is cheap to send is dear to keep parsed. */
const BYTES_A_VALUE = 16

/**
 * Bodies are JSON, or there is none: an empty one with a JSON content type counts as none, as clients send
 * it with DELETE and POST. What is no UTF-8 (RFC 8259 section 8.1) is refused here, and text that PostgreSQL
 * can't store (NUL, half a surrogate pair). A route whose entries stand each on its own looks at the text of
 * these itself: `config.entries` names them. Each route has its own bound, by default a small one.
 */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const { schema, config } = route
      const bytes = config?.access === 'public' ? PUBLIC_BYTES : BYTES
      route.bodyLimit ??= schema?.body === undefined ? NO_BODY_BYTES : bytes
    })

    // A client that is not done sending what nobody reads is not listened to any longer.
    app.addHook('onSend', (request, reply, _payload, done) => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const isLong = encoding !== undefined || Number(length) > BYTES
      if (isLong && !request.raw.readableEnded) reply.header('connection', 'close')
      done()
    })

    app.removeAllContentTypeParsers()
    readJson(app, 'application/json')

    app.addHook('preValidation', (request, _reply, done) => {
      if (!request.url.includes('%00')) return done()
      // A route that looks at the faults of its query itself has an answer of its own for this one.
      const query = request.routeOptions.attachValidation === true ? null : request.query
      const fault = faultOf(request.params) ?? faultOf(query)
      done(fault === null ? undefined : invalid(fault))
    })
  },
  { name: 'bodies', dependencies: ['errors'] },
)

interface Limits {
  /** Of this member only the depth and the number of values are looked at. */
  entries?: string | undefined
  maxValues?: number
}

/** Has bodies of that content type, `*` for any that has no parser of its own, read as JSON. */
export function readJson(app: FastifyInstance, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>(contentType, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes)) return done(invalid({ path: '', code: 'not_utf8', message: 'is not UTF-8' }))
    void parse(request, bytes.toString(), (error, value) => {
      const { bodyLimit, config } = request.routeOptions
      const fault = error
        ? null
        : faultOf(value, { entries: config.entries, maxValues: bodyLimit / BYTES_A_VALUE })
      if (fault === null) done(error, value)
      else done(invalid(fault))
    })
  })
}

/** The first name or text that can't be stored, what is nested too deeply, or too much; null when there is none. */
export function faultOf(value: unknown, { entries, maxValues = Infinity }: Limits = {}): FieldError | null {
  const free = entries === undefined ? null : `/${entries}/`
  let values = 0

  function faultIn(value: unknown, path: string, depth: number): FieldError | null {
    if (++values > maxValues)
      return { path: '', code: 'too_many_values', message: `has more than ${Math.floor(maxValues)} values` }
    const judges = free === null || !path.startsWith(free)
    if (typeof value === 'string') return isText(value) || !judges ? null : unstorable(path)
    if (typeof value !== 'object' || value === null) return null
    if (depth === MAX_DEPTH) return { path, code: 'too_deep', message: 'is nested too deeply' }
    for (const [name, member] of Object.entries(value)) {
      if (judges && !isText(name)) return unstorable(path)
      const fault = faultIn(member, `${path}/${name}`, depth + 1)
      if (fault !== null) return fault
    }
    return null
  }

  return faultIn(value, '', 0)
}

const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

const unstorable = (path: string): FieldError => ({
  path,
  code: 'unstorable_text',
  message: 'must not contain NUL or half a surrogate pair',
})
