import type { FastifyReply } from 'fastify'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import {
  pathOf,
  type AcceptedOperation,
  type Operation,
  type OperationKind,
} from '../../schemas/operation.ts'
import type { GrantedDomain } from '../domains/access/access.ts'

declare module 'fastify' {
  interface FastifyInstance {
    operations: Operations
  }
}

/** Changes that one request does itself; what is more goes on as an operation. As many as one plan takes. */
export const LARGE_CHANGE = 1_000

/** What the work of an operation tells while it goes on. */
export interface OperationRun {
  operationId: string
  /** The service stops: who has not begun to change anything rejects, and another instance does it. */
  stopping: AbortSignal
  /** The service stops very soon: what is not sent to a provider now stays undone. */
  cutOff: AbortSignal
  /**
   * Writes down, in the transaction that opens it, by which change it is done, and of how many parts that is. From
   * then on that change is the truth about what was done. Rejects when another instance has taken it over.
   */
  opens(trx: Executor, changeId: string, total: number): Promise<void>
  /**
   * The same where no records here are changed, and so by no change: of so many parts. Who is begun again does what is not
   * done yet, and calls it again. Rejects when another instance has taken it over.
   */
  starts(total: number): Promise<void>
  /** So many of the parts are done. */
  progress(done: number): void
}

/**
 * Does what was asked for, with the rights that the caller has by now. Answers what the request would have
 * answered, and rejects as it would have. May be called again as long as `run.opens` was not. `domainId` is that of the
 * operation, and empty for one over many domains.
 */
export type OperationWork = (
  caller: Caller,
  domainId: string,
  input: never,
  run: OperationRun,
) => Promise<object>

/** What was asked for, by whom who may. */
export interface NewOperation {
  /** Where it must be known before. */
  id?: string
  kind: OperationKind
  /** Null: over many domains. What a token may not, the work itself sees to then. */
  domain: GrantedDomain | null
  caller: Caller
  /** Plain data. */
  input: object
  /** Changes of records, as far as known. */
  total: number
  /**
   * Takes what is to be done, in the transaction that stores the operation, and answers the `total`. Rejects where it is
   * not there.
   */
  take?: (trx: Executor, operationId: string) => Promise<number>
}

/** Large changes: each is done by some instance, those of a domain one after another. */
export interface Operations {
  /** Changes that one request does itself. */
  largeChange: number
  /** Declares who does that kind. */
  define(kind: OperationKind, work: OperationWork): void
  /** Stores it, and begins soon. 429 when the caller has too many that are not finished, 503 when all have. */
  begin(operation: NewOperation): Promise<Operation>
  /** One for who asked for it and administrators; 404 for others. */
  require(principal: Principal, id: string): Promise<Operation>
}

/** Answers an operation that was begun with 202 and its location below `base`; anything else as it is. */
export function orAccepted<T extends object>(
  reply: FastifyReply,
  base: string,
  done: T | AcceptedOperation,
): T | AcceptedOperation {
  if ('operation' in done) void reply.code(202).header('location', base + pathOf(done.operation))
  return done
}
