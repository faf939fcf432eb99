import { STATUS_CODES } from 'node:http'
import { Type, type TProperties } from '@sinclair/typebox'
import { ChangeStatus, PlanConflict, SyncAnswer } from '../../schemas/records/record-changes.ts'
import { named } from '../../schemas/named.ts'
import { Problem, type ErrorCode } from '../../schemas/problem.ts'
import { Permission } from '../../schemas/people/permission.ts'
import { RecordSnapshot } from '../../schemas/records/record.ts'
import { NameChallenge } from '../../schemas/name-challenge.ts'
import { ref } from '../../schemas/ref.ts'
import { OneOf, Uuid } from '../../schemas/scalars.ts'

const { errors, ...members } = Problem.properties

/** A problem with further optional members. */
const problem = (name: string, further: TProperties) =>
  Type.Object({ ...Type.Partial(Type.Object(further)).properties, ...members }, named(name))

const retryAfter = Type.Integer({ minimum: 1, description: 'Seconds to wait, as in `Retry-After`' })
const conflicts = Type.Array(PlanConflict, {
  description: 'All conflicts of the requested changes',
})
const snapshot = (description: string) => ({ ...ref(RecordSnapshot), description })

const changeId = (description: string) => ({ ...Uuid, description })

/** Members of problems caused by an unavailable dependency. */
const interrupted = {
  retryAfter,
  outcome: OneOf(['none', 'unknown'], {
    ...named('ProblemOutcome'),
    description:
      '`none`: nothing was changed. `unknown`: the request may have been carried out, completely or in part; read `statusUrl`, or repeat the request with the same `Idempotency-Key`, to find out',
  }),
  changeId: changeId(
    'The change of records that failed, was applied only in part, or whose outcome is unknown',
  ),
  changeStatus: {
    ...ChangeStatus,
    description:
      'Status of that change: `failed`, nothing was applied; `partial`, `done` of `total` items were applied and `retryChange` applies the rest; `pending`, the outcome is unknown',
    examples: ['partial'],
  },
  done: Type.Integer({
    description: 'Applied items of the change, as far as known',
    examples: [500],
  }),
  total: Type.Integer({ description: 'Items of the change', examples: [1000] }),
  statusUrl: Type.String({
    format: 'uri-reference',
    description: 'URL with the outcome of that change',
    examples: [
      '/api/domains/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10/changes/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b11',
    ],
  }),
}

const ProviderProblem = problem('ProviderProblem', interrupted)

const OF_STATUS: Record<number, ReturnType<typeof problem>> = {
  400: problem('ValidationProblem', { errors }),
  401: problem('UnauthenticatedProblem', {
    triesLeft: Type.Integer({ description: 'Remaining attempts for the second factor' }),
  }),
  403: problem('ForbiddenProblem', {
    permission: {
      ...Permission,
      description: 'With `permission_missing`: the permission that the personal token lacks',
    },
    conflicts,
    challenge: {
      ...NameChallenge,
      description: 'With the reason `name_proof_required`: the TXT record that proves control of the name',
    },
  }),
  409: problem('ConflictProblem', {
    errors,
    field: Type.String({
      description: 'Member of the body whose value is already in use',
      examples: ['username'],
    }),
    record: snapshot('The conflicting record'),
    current: snapshot('The current version of the record, which differs from the requested one'),
    conflicts,
    owned: Type.Record(Type.String(), Type.Integer(), {
      description: 'What the user to delete still owns, with counts',
      examples: [{ domains: 2 }],
    }),
    boundUsers: Type.Integer({ description: 'Number of users who would lose a linked identity' }),
    changeId: changeId('The change that applied the plan, was applied only in part, or must finish first'),
    operationId: { ...Uuid, description: 'The operation that applied the plan' },
    planId: {
      ...Uuid,
      description:
        'The plan for several domains that was not applied completely; with `review_required`: the kept plan, for a change request',
    },
    outcomes: Type.Record(Type.String(), Type.Integer(), {
      description: 'Domains of that plan by outcome',
      examples: [{ applied: 2, blocked: 1 }],
    }),
    // A reference, because plugins can't import modules/records.
    plan: Type.Unsafe({
      $ref: 'Plan#',
      description: 'With `plan_outdated`: the current plan; with `review_required`: the plan to be approved',
    }),
    changeRequests: Type.String({
      description: 'With `review_required`: path to post a change request to, with the `planId`',
      examples: ['/api/domains/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10/change-requests'],
    }),
    retryAfter,
    ...SyncAnswer.properties,
  }),
  412: problem('PreconditionProblem', { errors, current: snapshot('The current version of the record') }),
  429: problem('RateLimitedProblem', { retryAfter }),
  502: ProviderProblem,
  503: ProviderProblem,
  504: ProviderProblem,
}

/** Returns the schema of problems with this status. */
export const problemSchema = (status: number): object => OF_STATUS[status] ?? ref(Problem)

const EXAMPLES: Record<number, [code: ErrorCode, detail: string]> = {
  400: ['validation_failed', 'ttl must be a whole number'],
  401: ['unauthenticated', 'The access token is not valid'],
  403: ['forbidden', 'This action requires an administrator'],
  404: ['not_found', 'No domain 0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
  409: ['conflict', 'www A 192.0.2.10 already exists'],
  412: ['precondition_failed', '`If-Match` does not match the current version; read the resource again'],
  413: ['payload_too_large', 'The body is too large'],
  415: ['unsupported_media_type', 'Send application/json'],
  429: ['rate_limited', 'Too many requests; try again in 12 s'],
  500: ['internal', 'Internal error; see the log entry with this request id'],
  502: ['provider_rejected', 'PowerDNS rejected the change: not in expected format'],
  503: ['unavailable', 'The DNS provider does not respond'],
  504: ['provider_timeout', 'The DNS provider did not respond in time'],
}

/** Returns a schema of problems with further members for one route. */
export const problemsWith = (name: string, further: TProperties): object =>
  problem(name, {
    ...Object.assign({}, ...Object.values(OF_STATUS).map(({ properties }) => properties)),
    ...further,
  })

/** Returns an example problem with this status. */
export function problemExample(status: number): object {
  const [code, detail] = EXAMPLES[status] ?? ['internal', '']
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    requestId: 'req-1f',
    ...(status === 429 && { retryAfter: 12 }),
    ...(status === 400 && {
      errors: [
        { path: '/ttl', message: 'must be a whole number', code: 'type', params: { type: 'integer' } },
      ],
    }),
  }
}
