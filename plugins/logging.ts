import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'

/** Query parameters whose value must not reach a log. */
const SECRET_PARAMETERS = /([?&](?:token|ticket|code|state|pending_token|authCode)=)[^&]*/gi

/** Pino's options: readable on a terminal, JSON elsewhere; no credentials, tokens or codes. */
export function loggerOptions(level: string): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        url: redactUrl(request.url),
        remoteAddress: request.ip,
      }),
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

/** One line a request, when it is answered: what came in and what went out together. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const details = { req: request, res: reply, responseTime: Math.round(reply.elapsedTime * 10) / 10 }
    if (error) request.log.error({ ...details, err: error }, 'request failed')
    else request.log.info(details, 'request')
  }
}

export const redactUrl = (url: string) => url.replace(SECRET_PARAMETERS, '$1[redacted]')
