import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'
import { ref } from './ref.ts'
import { OneOf } from './scalars.ts'

/** Codes of all errors: a closed list, repeated in the API description. */
export const ERROR_CODES = [
  'validation_failed',
  'unauthenticated',
  'invalid_credentials',
  'token_expired',
  'forbidden',
  'reauthentication_required',
  'second_factor_required',
  'permission_missing',
  'not_found',
  'method_not_allowed',
  'conflict',
  'last_sign_in_method',
  'confirmation_required',
  'plan_outdated',
  'review_required',
  'precondition_failed',
  'changes_failed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal',
  'provider_error',
  'provider_auth_failed',
  'provider_rejected',
  'provider_quota',
  'provider_timeout',
  'unavailable',
] as const

export const ErrorCode = OneOf(ERROR_CODES, {
  ...named('ErrorCode'),
  description: 'Stable error code for programs',
  examples: ['validation_failed'],
})
export type ErrorCode = Static<typeof ErrorCode>

/** Accompanies each message, so that clients can translate it. */
export const ReasonCode = Type.String({
  description: 'Stable reason code for programs. New codes may be added',
  examples: ['type'],
})

export const ReasonParams = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Values named in the message, such as a limit',
})

/** Code of `error`, a failure at a provider or receiver; null without an error, and for errors stored before codes existed. */
export const ErrorReason = {
  errorCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Stable code of `error`; null without an error, or where the error is older than its code. New codes may be added',
    examples: [null],
  }),
  errorParams: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Values named in `error`, such as a status',
    examples: [null],
  }),
}

/** The same in events; missing in events from before codes existed. */
export const ToldErrorReason = {
  errorCode: Type.Optional(ErrorReason.errorCode),
  errorParams: Type.Optional(ErrorReason.errorParams),
}

/** Error of one field of a request. */
export const FieldError = Type.Object(
  {
    path: Type.String({ description: 'JSON pointer to the field', examples: ['/ttl'] }),
    message: Type.String({ examples: ['must be a whole number'] }),
    code: ReasonCode,
    params: Type.Optional({ ...ReasonParams, examples: [{ type: 'integer' }] }),
  },
  { $id: 'FieldError' },
)
export type FieldError = Static<typeof FieldError>

/** RFC 9457 problem details, the shape of all errors. */
export const Problem = Type.Object(
  {
    type: Type.String({ examples: ['about:blank'] }),
    title: Type.String({ examples: ['Bad Request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({ examples: ['ttl must be a whole number'] }),
    code: ErrorCode,
    requestId: Type.String({ examples: ['req-1f'] }),
    errors: Type.Optional(
      Type.Array(ref(FieldError), { description: 'With `validation_failed`: the invalid fields' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'With `conflict` or `forbidden`: stable reason code, where neither `errors` nor `conflicts` give it. New codes may be added',
        examples: ['names_busy'],
      }),
    ),
    params: Type.Optional({
      ...ReasonParams,
      description: 'Values named in `detail`, for `reason`',
      examples: [{ names: ['www'] }],
    }),
  },
  { $id: 'Problem' },
)
export type Problem = Static<typeof Problem>

/** A problem inside a response: why work that continued after its request failed. */
export const ToldProblem = Type.Unsafe<Problem>({
  ...Type.Object(Problem.properties),
  additionalProperties: true,
  ...named('ToldProblem', {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'Another change to www is still in progress; try again',
    code: 'conflict',
    reason: 'names_busy',
    params: { names: ['www'] },
    requestId: 'req-1f',
  }),
})

/** A request succeeded, but probably not as intended. */
export const Warning = Type.Object({
  code: Type.Unsafe<string>({ ...ReasonCode, examples: ['email_unverified'] }),
  message: Type.String({ examples: ['No email is sent until the account confirms its address'] }),
})
export type Warning = Static<typeof Warning>
