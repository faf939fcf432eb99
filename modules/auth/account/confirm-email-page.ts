import fp from 'fastify-plugin'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { anonymous } from '../../../plugins/access/index.ts'
import { AppError } from '../../../plugins/errors.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/rate-limit.ts'
import { confirmEmail } from '../../users/service.ts'

/** As of all answers, but that its one form may be sent. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const ASK = `<p>Is this e-mail address yours? Then confirm it.</p>
<form method="post"><button>Confirm this address</button></form>`
const DONE = '<p>The address is confirmed. You can close this page.</p>'
const REFUSALS: Record<number, string> = {
  400: '<p>This link does not count: it is unknown, has expired or was used. Give the address again to get another.</p>',
  409: '<p>The address belongs to another account, so it was not confirmed.</p>',
}

/**
 * Where the link of a mail leads that confirms an address: a page with one button. Following the link alone
 * changes nothing, as programs that look through mail follow it, too.
 */
const confirmEmailPage: FastifyPluginAsyncTypebox = async (app) => {
  // What a form without fields sends: nothing.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, body, done) => {
    body.resume()
    done(null)
  })
  const config = { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' } } as const
  const querystring = Type.Object({ token: Type.String({ default: '', maxLength: 200 }) })
  const schema = { hide: true, querystring }

  app.get('/confirm-email', { config, schema }, (_request, reply) => sendPage(reply, 200, ASK))

  app.post('/confirm-email', { config, schema }, async (request, reply) => {
    try {
      await confirmEmail(app, anonymous(request), request.query.token)
    } catch (error) {
      const refusal = error instanceof AppError ? REFUSALS[error.status] : undefined
      if (refusal === undefined) throw error
      return sendPage(reply, (error as AppError).status, refusal)
    }
    return sendPage(reply, 200, DONE)
  })
}

export default fp(confirmEmailPage, {
  name: 'confirm-email-page',
  encapsulate: true,
  dependencies: ['auth', 'rate-limit', 'access'],
})

const sendPage = (reply: FastifyReply, status: number, content: string) =>
  reply.code(status).header('content-security-policy', POLICY).type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Zonekeeper: confirm an e-mail address</title>
</head>
<body>
<h1>Zonekeeper</h1>
${content}
</body>
</html>
`)
