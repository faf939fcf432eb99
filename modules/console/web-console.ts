import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** The output folder of `npm run build:console`. */
const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/**
 * Paths of the console's pages; everything else is handled as usual. A test compares them with the console's
 * routes.
 */
export const CONSOLE_PAGES = [
  '/',
  '/sign-in',
  '/register',
  '/reset-password',
  '/confirm-email',
  '/auth/callback',
  '/domains',
  '/domains/add',
  '/domains/:id',
  '/domains/:id/:tab',
  '/domains/:id/mirrors/move',
  '/search',
  '/change-requests',
  '/health-findings',
  '/failover',
  '/change-requests/:id',
  '/requests',
  '/access',
  '/notifications',
  '/providers',
  '/providers/:id',
  '/templates',
  '/templates/:id',
  '/channels',
  '/channels/:id',
  '/users',
  '/users/invitations',
  '/users/:id',
  '/sign-in-providers',
  '/audit',
  '/account',
  '/account/:tab',
]

/**
 * Hash of the one inline style of the component library (touch-action of pressable elements); a test keeps it
 * current.
 */
const PRESSABLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${PRESSABLE}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * Serves the web console from a folder, usually that of the build; without it, only the API is available,
 * which the start logs.
 */
export default fp<{ dist?: string | undefined }>(
  async (app, { dist = DIST }) => {
    if (!existsSync(`${dist}index.html`)) {
      app.log.warn('web console not built; run npm run build:console')
      return
    }
    const page = readFileSync(`${dist}index.html`)
    const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`

    function sendPage(request: FastifyRequest, reply: FastifyReply) {
      reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('text/html; charset=utf-8').send(page)
    }

    const open = { config: { access: 'public', rateLimit: false }, schema: { hide: true } } as const
    // Names contain a content digest; .br and .gz files are next to each file.
    await app.register(fastifyStatic, {
      root: `${dist}assets`,
      serve: false,
      preCompressed: true,
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    })
    app.get<{ Params: { '*': string } }>('/assets/*', open, (request, reply) =>
      reply.sendFile(request.params['*']),
    )
    for (const url of CONSOLE_PAGES) app.get(url, open, sendPage)
  },
  { name: 'web-console', dependencies: ['access', 'headers'] },
)
