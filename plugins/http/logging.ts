import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import pino, { type LoggerOptions } from 'pino'
import { isUnavailable } from '../../db/connection/errors.ts'
import type { Principal } from '../security/access/index.ts'
import { addressOf } from '../security/addresses.ts'

/** Query parameters whose values must not be logged: access_token, authCode and so on. */
const SECRET_PARAMETER = /token|ticket|code|state|secret|password|assertion/i

/** Options for Pino: readable on a terminal, JSON elsewhere; without credentials, tokens and codes. */
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

/** pino-pretty is an optional dependency; without it, terminals get JSON too. */
function hasPretty(): boolean {
  try {
    import.meta.resolve('pino-pretty')
    return true
  } catch {
    return false
  }
}

/** Log level for errors of background work. Database outages are logged once, by plugins/db.ts. */
export const levelOf = (error: unknown, otherwise: 'warn' | 'error' = 'error'): 'debug' | 'warn' | 'error' =>
  isUnavailable(error) ? 'debug' : otherwise

/** Logs one line per request, after the response. */
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

/** Id of the signed-in user; undefined on public routes and after a failed sign-in. */
const userOf = ({ principal, pendingSignIn }: FastifyRequest): string | undefined =>
  // Both are null until the access rule has passed, and missing where an earlier hook rejected the request.
  (principal as Principal | null | undefined)?.userId ?? pendingSignIn?.userId

/** Serializes an error with its causes, but without requests, rows and bodies attached to it. */
function describeError(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, code, stack }
}

/** Removes values of secret parameters. Splits instead of matching, because URLs are up to 16 kB of untrusted text. */
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

/** Decodes a percent-encoded name. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
