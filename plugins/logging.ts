import { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import pino, { type Logger, type LoggerOptions } from 'pino'

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
        remoteAddress: request.ip,
      }),
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
    ...(process.stdout.isTTY && {
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

/**
 * One line a request, when it is answered: what came in and what went out together. It holds nothing but
 * what is named here, so it is spared the search for secrets, which costs more than the line.
 */
export class RequestLog extends LogController {
  readonly #lines: Logger

  constructor(log: FastifyBaseLogger) {
    super()
    const { streamSym } = pino.symbols as { streamSym: symbol }
    const stream = (log as unknown as Record<symbol, pino.DestinationStream>)[streamSym]
    this.#lines = pino({ level: log.level }, stream as pino.DestinationStream)
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const details = {
      reqId: request.id,
      req: { method: request.method, url: redactUrl(request.url), remoteAddress: request.ip },
      res: { statusCode: reply.statusCode },
      responseTime: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (error) this.#lines.error({ ...details, err: describeError(error) }, 'request failed')
    else this.#lines.info(details, 'request')
  }
}

/**
 * The log of one request, whose lines carry its id. The child is made with its first line: most requests
 * write none beside the one of RequestLog, and a child costs as much as that.
 */
export class LogOfRequest implements FastifyBaseLogger {
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | null = null

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make
  }

  get #log(): FastifyBaseLogger {
    return (this.#made ??= this.#make())
  }

  get level() {
    return this.#log.level
  }

  fatal(...line: unknown[]): void {
    this.#log.fatal(...(line as LogLine))
  }

  error(...line: unknown[]): void {
    this.#log.error(...(line as LogLine))
  }

  warn(...line: unknown[]): void {
    this.#log.warn(...(line as LogLine))
  }

  info(...line: unknown[]): void {
    this.#log.info(...(line as LogLine))
  }

  debug(...line: unknown[]): void {
    this.#log.debug(...(line as LogLine))
  }

  trace(...line: unknown[]): void {
    this.#log.trace(...(line as LogLine))
  }

  silent(): void {}

  child(...parts: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...parts)
  }
}

type LogLine = [object, string]

/** What went wrong and where, with its causes; not what else an error carries: requests, rows, bodies. */
function describeError(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, code, stack }
}

export const redactUrl = (url: string) =>
  url.includes('=')
    ? url.replace(/([?&])([^=&]*)=[^&]*/g, (pair, before: string, name: string) =>
        SECRET_PARAMETER.test(decoded(name)) ? `${before}${name}=[redacted]` : pair,
      )
    : url

/** A name may be written with escapes, and counts all the same. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
