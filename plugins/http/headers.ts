import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import helmet from 'helmet'
import { invalid } from './errors.ts'

/** One year; browsers that saw the https site once never try http again. */
const HSTS_SECONDS = 365 * 24 * 3600

/** The headers of security, the same on every answer: made once. A page of the description sets its own policy. */
export default fp<{ siteUrl: string }>(
  (app: FastifyInstance, { siteUrl }, done) => {
    const headers = {
      ...headersOf(siteUrl.startsWith('https:')),
      // Answers hold private data.
      'cache-control': 'no-store',
    }
    app.addHook('onRequest', ({ raw }, reply, next) => {
      reply.headers(headers)
      if (hasSeveralHosts(raw.rawHeaders)) {
        return next(invalid({ path: '/host', code: 'several_hosts', message: 'must be one header' }))
      }
      next()
    })
    done()
  },
  { name: 'headers' },
)

/** Of two hosts a proxy may take one and this service the other (RFC 9112 section 3.2). `raw`: names and values in turn. */
function hasSeveralHosts(raw: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === 'host') count++
  return count > 1
}

function headersOf(isHttps: boolean): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const apply = helmet({
    hsts: isHttps && { maxAge: HSTS_SECONDS },
    referrerPolicy: { policy: 'no-referrer' },
    // Answers are data, whatever a browser takes them for: nothing in them is loaded or run.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // For pages, in browsers of the past.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xXssProtection: false,
  })
  apply(response.req, response, (error) => {
    if (error) throw error
  })
  return response.getHeaders() as Record<string, string>
}
