import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalid, problemOf } from '../../../../plugins/http/errors.ts'

/** The same answer for every fault of credentials, so that guessing reveals nothing. */
export const refused = () =>
  new AppError(
    401,
    'invalid_credentials',
    'The credentials are not valid, or not allowed for this subdomain or from this address',
  )

export const badRange = (index: number) =>
  invalid({ path: `/allowfrom/${index}`, code: 'ip_range', message: 'must be a CIDR' })

export const badDomain = (message: string) => invalid({ path: '/domain', code: 'domain', message })

export const badValue = () =>
  invalid({ path: '/txt', code: 'pattern', message: 'must have 43 characters of base64url' })

/** acme-dns error codes by the field at fault. */
const WORDS: Record<string, string> = {
  allowfrom: 'invalid_allowfrom_cidr',
  domain: 'bad_domain',
  subdomain: 'bad_subdomain',
  txt: 'bad_txt',
}

/** Adds `error` to problem documents, with the code of acme-dns that its clients look for. */
export function sendAcmeDnsError(
  raised: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, code, detail, errors } = problemOf(raised, request)
  const word =
    status === 400 ? wordOf(errors?.[0]?.path) : [401, 403, 404].includes(status) ? 'forbidden' : code
  const { headers = {}, extra = {} } = raised instanceof AppError ? raised : {}
  // The result is passed to the error handler of all routes.
  void reply.send(
    new AppError(status, code, detail, {
      extra: { ...extra, ...(errors && { errors }), error: word },
      headers,
      cause: raised,
    }),
  )
}

const wordOf = (path = '') => WORDS[path.split('/')[1] ?? ''] ?? 'malformed_json_payload'
