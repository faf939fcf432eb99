import { hash } from 'node:crypto'
import type { RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { entityTag, isAmong, preconditionFailed } from './if-match.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A write that checks `If-Match` in its transaction; see `requireMatch`. */
    ifMatch?: boolean
    /** A read without an entity tag, because writes of the path could not check it. */
    untagged?: boolean
  }
}

const WRITES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/**
 * Adds weak entity tags to reads (RFC 9110 section 8.8) and answers 304 to matching `If-None-Match`. The response is still
 * computed, so access is checked each time. Writes of a path with a tag must check `If-Match`, or the start fails;
 * elsewhere a tag in `If-Match` matches nothing.
 */
export default fp(
  async (app) => {
    const tagged = new Set<string>()
    /** Writes by path, and whether each checks the condition. */
    const writes: { url: string; name: string; isChecked: boolean }[] = []
    const conditional = new Set<string>()

    app.addHook('onRoute', ({ url, method, config, schema }: RouteOptions) => {
      const methods = [method].flat()
      if (methods.includes('GET') && config?.untagged !== true && isRead(schema)) tagged.add(url)
      if (!methods.some((each) => WRITES.has(each))) return
      const isChecked = config?.ifMatch === true
      writes.push({ url, name: `${methods.join()} ${url}`, isChecked })
      if (isChecked) conditional.add(url)
    })
    app.addHook('onReady', async () => {
      const unchecked = writes.filter(({ url, isChecked }) => tagged.has(url) && !isChecked)
      if (unchecked.length === 0) return
      throw new Error(`Writes that ignore If-Match: ${unchecked.map(({ name }) => name).join(', ')}`)
    })

    app.addHook('preHandler', (request, _reply, done) => {
      const { method, headers, routeOptions } = request
      const isRead = method === 'GET' || method === 'HEAD'
      const ifMatch = headers['if-match']
      if (ifMatch === undefined || ifMatch.trim() === '*' || isRead || request.is404) return done()
      if (routeOptions.config.ifMatch === true) return done()
      done(preconditionFailed('This operation does not support `If-Match`; omit the header'))
    })

    app.addHook('preSerialization', (request, reply, payload, done) => {
      // Computed from the object, as writes compare it, not from the serialized text.
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isWritten = isRead && conditional.has(request.routeOptions.url ?? '')
      if (isWritten && reply.statusCode === 200 && !reply.hasHeader('etag')) {
        reply.header('etag', entityTag(payload as object))
      }
      done(null, payload)
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isTagged = isRead && request.routeOptions.config.untagged !== true
      if (!isTagged || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
      const own = reply.getHeader('etag')
      const tag = typeof own === 'string' ? own : `W/"${hash('sha256', payload, 'base64url')}"`
      reply.header('etag', tag)
      if (!isAmong(tag, request.headers['if-none-match'] ?? '')) return done(null, payload)
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      done(null, '')
    })
  },
  { name: 'conditional-requests', dependencies: ['errors'] },
)

/** Whether the response of a GET gets a tag. */
const isRead = (schema: RouteOptions['schema']): boolean =>
  schema?.hide !== true && (schema?.response as { 200?: unknown } | undefined)?.[200] !== undefined
