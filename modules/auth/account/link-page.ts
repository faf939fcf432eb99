import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { anonymous, type Actor } from '../../../plugins/security/access/index.ts'
import { faultOf } from '../../../plugins/http/bodies.ts'
import { AppError, invalid, type FieldError } from '../../../plugins/http/errors.ts'
import { escapeHtml } from '../../../plugins/http/html.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { bodyChecker } from '../../../plugins/http/validation/validation.ts'

/** The page a mailed link leads to: a form that works without scripts. */
export interface LinkPage<Fields extends TObject> {
  path: string
  title: string
  /** The link's parameter with the one-time token. */
  secret: string
  /** Fields the form sends. */
  fields: Fields
  /** HTML, like all texts here. */
  form: string
  done: string
  /** Does what the form is for. The text of an AppError is shown with the form. */
  submit: (actor: Actor, secret: string, fields: Static<Fields>) => Promise<unknown>
  /** Rate limit shared with the API route that does the same. */
  limit: string
}

/** The policy of all answers, except that the form can be submitted. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Labels of the form fields, and of the link's data. */
const LABELS: Record<string, string> = {
  token: 'This link',
  inviteCode: 'The invitation',
  newPassword: 'The password',
  password: 'The password',
  username: 'The user name',
  email: 'The email address',
}

/** The page of a link. Opening the link changes nothing, because mail scanners open links, too. */
export const linkPage =
  <Fields extends TObject>(page: LinkPage<Fields>): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The console has its own page for this.
    if (app.hasRoute({ method: 'GET', url: page.path })) return
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    const check = bodyChecker(page.fields)
    const config = { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: page.limit } } as const
    const querystring = Type.Object({
      [page.secret]: Type.String({ default: '', maxLength: 200 }),
    })
    const schema = { hide: true, querystring }

    app.get(page.path, {
      config,
      schema,
      handler: (_request, reply) => sendPage(reply, 200, page.title, page.form),
    })

    app.post(page.path, {
      config,
      schema,
      handler: async (request, reply) => {
        const query = request.query as Record<string, string>
        try {
          const fields = givenIn(request.body)
          const errors = check(fields)
          if (errors.length > 0) throw invalid(...errors)
          await page.submit(anonymous(request), query[page.secret] ?? '', fields as Static<Fields>)
        } catch (error) {
          if (!(error instanceof AppError) || error.status >= 500) throw error
          return sendPage(reply, error.status, page.title, `${wordsOf(error)}\n${page.form}`)
        }
        return sendPage(reply, 200, page.title, page.done)
      },
    })
  }

/** The filled-in fields: a form sends empty text for the others. */
function givenIn(body: unknown): object {
  const fault = faultOf(body)
  if (fault !== null) throw invalid(fault)
  return Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== ''))
}

function wordsOf(error: AppError): string {
  const errors = (error.extra['errors'] ?? []) as FieldError[]
  const texts = errors.map(({ path, message }) => `${LABELS[path.slice(1)] ?? 'Something'} ${message}`)
  return (texts.length > 0 ? texts : [error.message]).map((text) => `<p>${escapeHtml(text)}.</p>`).join('\n')
}

const sendPage = (reply: FastifyReply, status: number, title: string, content: string) =>
  reply.code(status).header('content-security-policy', POLICY).type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Zonekeeper: ${title}</title>
</head>
<body>
<h1>Zonekeeper</h1>
${content}
</body>
</html>
`)
