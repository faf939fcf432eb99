import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { invalid, type FieldError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the body's list whose entries the route validates one by one. */
    entries?: string
  }
}

/** Limit for routes without a body, where clients send an empty object. */
const NO_BODY_BYTES = 1024
/** Limit for public routes. */
const PUBLIC_BYTES = 16 * 1024
/** Limit for other routes that declare none. */
const BYTES = 64 * 1024

/** Real bodies have at most four levels; thousands would overflow the stack of recursive code. */
const MAX_DEPTH = 32

/** Bytes of the body limit per value: many small values are cheap to send but expensive to keep parsed. */
const BYTES_A_VALUE = 16

/**
 * Reads bodies as JSON. An empty JSON body counts as none, as some clients send it with DELETE and POST. Rejects bodies
 * that are not UTF-8 (RFC 8259 section 8.1) and text that PostgreSQL can't store (NUL, half a surrogate pair), except in
 * `config.entries`, which the route checks itself. Each route has its own size limit.
 */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const { schema, config } = route
      const bytes = config?.access === 'public' ? PUBLIC_BYTES : BYTES
      route.bodyLimit ??= schema?.body === undefined ? NO_BODY_BYTES : bytes
    })

    // Closes the connection if the client still sends a body that nobody reads.
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
      // A route that handles errors of its query itself has its own response to this one.
      const query = request.routeOptions.attachValidation === true ? null : request.query
      const fault = faultOf(request.params) ?? faultOf(query)
      done(fault === null ? undefined : invalid(fault))
    })
  },
  { name: 'bodies', dependencies: ['errors'] },
)

interface Limits {
  /** Only depth and number of values are checked in this member. */
  entries?: string | undefined
  maxValues?: number
}

/** Reads bodies of that content type as JSON; `*` for any without a parser of its own. */
export function readJson(app: FastifyInstance, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>(contentType, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes)) return done(invalid({ path: '', code: 'not_utf8', message: 'must be UTF-8' }))
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

/** Returns the first text that can't be stored, or an error for too much depth or too many values; null if all is well. */
export function faultOf(value: unknown, { entries, maxValues = Infinity }: Limits = {}): FieldError | null {
  const free = entries === undefined ? null : `/${entries}/`
  let values = 0

  function faultIn(value: unknown, path: string, depth: number): FieldError | null {
    if (++values > maxValues)
      return {
        path: '',
        code: 'too_many_values',
        message: `must not have more than ${Math.floor(maxValues)} values`,
      }
    const judges = free === null || !path.startsWith(free)
    if (typeof value === 'string') return isText(value) || !judges ? null : unstorable(path)
    if (typeof value !== 'object' || value === null) return null
    if (depth === MAX_DEPTH)
      return { path, code: 'too_deep', message: `must not be nested deeper than ${MAX_DEPTH} levels` }
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
