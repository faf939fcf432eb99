import { Type, type Static } from '@sinclair/typebox'

export const ERROR_CODES = [
  'validation_failed',
  'unauthenticated',
  'invalid_credentials',
  'token_expired',
  'forbidden',
  'reauthentication_required',
  'permission_missing',
  'not_found',
  'conflict',
  'confirmation_required',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal',
  'provider_error',
  'provider_auth_failed',
  'provider_rejected',
  'provider_timeout',
  'unavailable',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** RFC 9457 problem details; every error of the service has this shape. */
export const Problem = Type.Object(
  {
    type: Type.String({ examples: ['about:blank'] }),
    title: Type.String({ examples: ['Bad Request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({ examples: ['body/ttl must be integer'] }),
    code: Type.String({
      description: `Stable, for programs: ${ERROR_CODES.join(', ')}`,
      examples: ['validation_failed'],
    }),
    requestId: Type.String({ examples: ['req-1f'] }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The field, as a JSON pointer', examples: ['/ttl'] }),
          message: Type.String({ examples: ['must be integer'] }),
        }),
        { description: 'With validation_failed: what is wrong where' },
      ),
    ),
  },
  { $id: 'Problem', additionalProperties: true },
)
export type Problem = Static<typeof Problem>
