import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import pino, { type LoggerOptions } from 'pino'
import { isUnavailable } from '../../db/connection/errors.ts'
import type { Principal } from '../security/access/index.ts'
import { addressOf } from '../security/addresses.ts'

/** Query parameters whose value must not reach a log: access_token, pending_token, authCode and so on. */
const SECRET_PARAMETER = /token|ticket|code|state|secret|password|assertion/i

/** Pino's options: readable on a terminal, JSON elsewhere; no credentials, tokens or codes. */
export function loggerOptions(level: string): LoggerOptions {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        url: redactUrl(request.url),
        remoteAddress: addressOf(request),
      }),
      res: ({ statusCode }: FastifyReply) => ({ statusCode }),
      err: describeError,
    },
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.secret',
        '*.apiKey',
        '*.authorization',
        '*.cookie',
        '*.credentials',
      ],
      censor: '[redacted]',
    },
    ...(process.stdout.isTTY &&
      hasPretty() && {
        transport: {
          target: 'pino-pretty',
          options: {
            translateTime: 'SYS:HH:MM:ss',
            messageFormat:
              '{msg}{if req.method}: {req.method} {req.url} {res.statusCode}, {responseTime} ms{end}',
            ignore: 'pid,hostname,reqId,req,res,responseTime',
          },
        },
      }),
  }
}

/** pino-pretty is an optional dependency: without it a terminal gets JSON, too. */
function hasPretty(): boolean {
  try {
    import.meta.resolve('pino-pretty')
    return true
  } catch {
    return false
  }
}

/** How a failure of work that nobody waits for is logged: that the database is away is said once, by plugins/db. */
export const levelOf = (error: unknown): 'debug' | 'error' => (isUnavailable(error) ? 'debug' : 'error')

/** One line a request, when it is answered: what came in, from whom, and what went out. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const details = {
      req: request,
      res: reply,
      userId: userOf(request),
      responseTime: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (error) request.log.error({ ...details, err: error }, 'request failed')
    else request.log.info(details, 'request')
  }
}

/** Who is signed in; nothing on routes for all, and where signing in failed. */
const userOf = ({ principal, pendingSignIn }: FastifyRequest): string | undefined =>
  // Both are null until the access rule has let the request in, and missing where it was refused before.
  (principal as Principal | null | undefined)?.userId ?? pendingSignIn?.userId

/** What went wrong and where, with its causes; not what else an error carries: requests, rows, bodies. */
function describeError(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, code, stack }
}

/** The URL without the values of secret parameters. By splitting: it is up to 16 kB of whatever anybody sends. */
export const redactUrl = (url: string) =>
  url.includes('=')
    ? url
        .split(/([?&])/)
        .map((part, i) => (i === 0 ? part : redactPair(part)))
        .join('')
    : url

function redactPair(pair: string): string {
  const end = pair.indexOf('=')
  if (end === -1) return pair
  const name = pair.slice(0, end)
  return SECRET_PARAMETER.test(decoded(name)) ? `${name}=[redacted]` : pair
}

/** A name may be written with escapes, and counts all the same. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
