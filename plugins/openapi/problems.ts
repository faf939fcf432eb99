import { STATUS_CODES } from 'node:http'
import { Type, type TProperties } from '@sinclair/typebox'
import { ChangeStatus, PlanConflict, SyncAnswer } from '../../schemas/record-changes.ts'
import { named } from '../../schemas/named.ts'
import { Problem, type ErrorCode } from '../../schemas/problem.ts'
import { Permission } from '../../schemas/people/permission.ts'
import { RecordSnapshot } from '../../schemas/record.ts'
import { NameChallenge } from '../../schemas/name-challenge.ts'
import { ref } from '../../schemas/ref.ts'
import type { RequestOutcome } from '../http/request-effects.ts'
import { Uuid } from '../../schemas/scalars.ts'

const { errors, ...members } = Problem.properties

/** A problem with further members, each of which is there where it says something. */
const problem = (name: string, further: TProperties) =>
  Type.Object({ ...Type.Partial(Type.Object(further)).properties, ...members }, named(name))

const retryAfter = Type.Integer({ minimum: 1, description: 'Seconds to wait, as in `Retry-After`' })
const conflicts = Type.Array(PlanConflict, {
  description: 'Of several changes: all that stands against them',
})
const snapshot = (description: string) => ({ ...ref(RecordSnapshot), description })

const changeId = (description: string) => ({ ...Uuid, description })

/** Of what answers while something that it needs is away. */
const interrupted = {
  retryAfter,
  outcome: Type.Unsafe<RequestOutcome>({
    ...named('ProblemOutcome'),
    type: 'string',
    enum: ['none', 'unknown'],
    description:
      '`none`: nothing was done. `unknown`: it may have been done, in whole or in part; `statusUrl` says what, or a repeat with the same `Idempotency-Key`',
    examples: ['none'],
  }),
  changeId: changeId(
    'The change of records that was not done, only in part, or of which the outcome is not known',
  ),
  changeStatus: {
    ...ChangeStatus,
    description:
      'How far that change is: `failed`, nothing was done; `partial`, `done` of `total` items, and `retryChange` does the rest; `pending`, not known yet',
    examples: ['partial'],
  },
  done: Type.Integer({
    description: 'Items of the change that were done, as far as is known',
    examples: [500],
  }),
  total: Type.Integer({ description: 'Items of the change', examples: [1000] }),
  statusUrl: Type.String({
    format: 'uri-reference',
    description: 'Where the outcome of that change is told',
    examples: [
      '/api/domains/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10/changes/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b11',
    ],
  }),
}

const ProviderProblem = problem('ProviderProblem', interrupted)

const OF_STATUS: Record<number, ReturnType<typeof problem>> = {
  400: problem('ValidationProblem', { errors }),
  401: problem('UnauthenticatedProblem', {
    triesLeft: Type.Integer({ description: 'Of a second factor: how often it may be tried again' }),
  }),
  403: problem('ForbiddenProblem', {
    permission: { ...Permission, description: 'With `permission_missing`: what the personal token lacks' },
    conflicts,
    challenge: {
      ...NameChallenge,
      description: 'With the reason `name_proof_required`: the TXT record that proves the right to the name',
    },
  }),
  409: problem('ConflictProblem', {
    errors,
    field: Type.String({
      description: 'The member of the body whose value is taken',
      examples: ['username'],
    }),
    record: snapshot('The record in the way'),
    current: snapshot('The record as it is now, which is not the version that was meant'),
    conflicts,
    owned: Type.Record(Type.String(), Type.Integer(), {
      description: 'How much of what the user to be deleted still owns',
      examples: [{ domains: 2 }],
    }),
    boundUsers: Type.Integer({ description: 'How many users would lose a binding' }),
    changeId: changeId(
      'The change by which a plan was applied, of which only a part was done, or for which to wait',
    ),
    operationId: { ...Uuid, description: 'The operation by which a plan was applied' },
    planId: { ...Uuid, description: 'Of a plan over many domains that was not done as a whole' },
    outcomes: Type.Record(Type.String(), Type.Integer(), {
      description: 'Of that plan: how many domains ended how',
      examples: [{ applied: 2, blocked: 1 }],
    }),
    // Of modules/records, which comes after the plugins.
    plan: Type.Unsafe({ $ref: 'Plan#', description: 'With `plan_outdated`: what would be done now' }),
    retryAfter,
    ...SyncAnswer.properties,
  }),
  412: problem('PreconditionProblem', { errors, current: snapshot('Of a record: as it is now') }),
  429: problem('RateLimitedProblem', { retryAfter }),
  502: ProviderProblem,
  503: ProviderProblem,
  504: ProviderProblem,
}

/** The schema of the problems of a status: what all have, and what these may have beside it. */
export const problemSchema = (status: number): object => OF_STATUS[status] ?? ref(Problem)

const EXAMPLES: Record<number, [code: ErrorCode, detail: string]> = {
  400: ['validation_failed', 'ttl must be a whole number'],
  401: ['unauthenticated', 'The access token is not valid'],
  403: ['forbidden', 'This needs an administrator'],
  404: ['not_found', 'No domain 0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
  409: ['conflict', 'www A 192.0.2.10 is there already'],
  412: ['precondition_failed', 'The resource has changed since the version in `If-Match`; read it again'],
  413: ['payload_too_large', 'The body is too large'],
  415: ['unsupported_media_type', 'Send application/json'],
  429: ['rate_limited', 'Too many requests; try again in 12 s'],
  500: ['internal', 'Something went wrong here; the log has the request id'],
  502: ['provider_rejected', 'PowerDNS refused the change: not in expected format'],
  503: ['unavailable', 'The DNS provider does not answer'],
  504: ['provider_timeout', 'The DNS provider did not answer in time'],
}

/** The problems of a route that says more than others do: what those of any status may have, and that. */
export const problemsWith = (name: string, further: TProperties): object =>
  problem(name, {
    ...Object.assign({}, ...Object.values(OF_STATUS).map(({ properties }) => properties)),
    ...further,
  })

/** The problem document of a status. */
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
