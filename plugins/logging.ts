import type { FastifyRequest, FastifyServerOptions } from 'fastify'

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
        options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' },
      },
    }),
  }
}

export const redactUrl = (url: string) => url.replace(SECRET_PARAMETERS, '$1[redacted]')
