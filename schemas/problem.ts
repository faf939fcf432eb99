import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'
import { ref } from './ref.ts'

/** The codes of all errors: a closed list, which the API description repeats. */
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

export const ErrorCode = Type.Unsafe<(typeof ERROR_CODES)[number]>({
  ...named('ErrorCode'),
  type: 'string',
  enum: [...ERROR_CODES],
  description: 'What went wrong, for programs; stays the same while the words may change',
  examples: ['validation_failed'],
})
export type ErrorCode = Static<typeof ErrorCode>

/** Beside words for people, so that a client can say the same in another language. */
export const ReasonCode = Type.String({
  description: 'What it is, for programs; stays the same while the words may change. More may come',
  examples: ['type'],
})

export const ReasonParams = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'What the words name, such as a limit',
})

/** Beside `error`, what went wrong at a provider or a receiver: null where nothing did, or it was before there were codes. */
export const ErrorReason = {
  errorCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'What `error` is, for programs; null without one, and where it is older than its code. More may come',
    examples: [null],
  }),
  errorParams: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'What the words of `error` name, such as a status',
    examples: [null],
  }),
}

/** The same in what is told of: missing in what was told before there were codes. */
export const ToldErrorReason = {
  errorCode: Type.Optional(ErrorReason.errorCode),
  errorParams: Type.Optional(ErrorReason.errorParams),
}

/** What is wrong with one field of a request. */
export const FieldError = Type.Object(
  {
    path: Type.String({ description: 'The field, as a JSON pointer', examples: ['/ttl'] }),
    message: Type.String({ examples: ['must be a whole number'] }),
    code: ReasonCode,
    params: Type.Optional({ ...ReasonParams, examples: [{ type: 'integer' }] }),
  },
  { $id: 'FieldError' },
)
export type FieldError = Static<typeof FieldError>

/** RFC 9457 problem details; every error of the service has this shape. */
export const Problem = Type.Object(
  {
    type: Type.String({ examples: ['about:blank'] }),
    title: Type.String({ examples: ['Bad Request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({ examples: ['ttl must be a whole number'] }),
    code: ErrorCode,
    requestId: Type.String({ examples: ['req-1f'] }),
    errors: Type.Optional(
      Type.Array(ref(FieldError), { description: 'With validation_failed: what is wrong where' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come',
        examples: ['names_busy'],
      }),
    ),
    params: Type.Optional({
      ...ReasonParams,
      description: 'What the words of `detail` name, beside `reason`',
      examples: [{ names: ['www'] }],
    }),
  },
  { $id: 'Problem' },
)
export type Problem = Static<typeof Problem>

/** A problem as a part of an answer: why something that went on after its request was not done. */
export const ToldProblem = Type.Unsafe<Problem>({
  ...Type.Object(Problem.properties),
  additionalProperties: true,
  ...named('ToldProblem', {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'Another change of www is still under way; try again',
    code: 'conflict',
    reason: 'names_busy',
    params: { names: ['www'] },
    requestId: 'req-1f',
  }),
})

/** What was done as asked, and most likely is not what was meant. */
export const Warning = Type.Object({
  code: Type.Unsafe<string>({ ...ReasonCode, examples: ['email_unverified'] }),
  message: Type.String({ examples: ['No e-mail comes before the address of the account is confirmed'] }),
})
export type Warning = Static<typeof Warning>
