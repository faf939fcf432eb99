import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Where `npm run build:console` leaves it. */
const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** What the console has a page for; everything else stays what it is, a 404 among it. A test compares with its routes. */
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
  '/search',
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

/** Of the one inline style that the component library makes (touch-action of what can be pressed); a test keeps it true. */
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
 * The web console from a folder, usually that of the build; without it the service is its API alone, and says so
 * at the start.
 */
export default fp<{ dist?: string | undefined }>(
  async (app, { dist = DIST }) => {
    if (!existsSync(`${dist}index.html`)) {
      app.log.warn('there is no web console: npm run build:console makes it')
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
    // Names hold a digest of the content; .br and .gz lie beside each file.
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
