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

/** Changes that a request makes itself; more become an operation. The limit of one plan. */
export const LARGE_CHANGE = 1_000

/** How the work of an operation reports its state. */
export interface OperationRun {
  operationId: string
  /** The service is stopping: work that changed nothing yet rejects, and another instance does it. */
  stopping: AbortSignal
  /** The drain time is over: nothing more is sent to a DNS provider. */
  cutOff: AbortSignal
  /**
   * Stores the change that does the work and its number of parts, in the transaction that opens the change. From then on
   * the change decides the outcome. Rejects if another instance has taken over.
   */
  opens(trx: Executor, changeId: string, total: number): Promise<void>
  /**
   * Stores the number of parts of work that changes no records here. A repeated run does the remaining parts and calls
   * this again. Rejects if another instance has taken over.
   */
  starts(total: number): Promise<void>
  /** Reports how many parts are done. */
  progress(done: number): void
}

/**
 * Does the work with the caller's current permissions. Returns what the request would have returned, and rejects as it
 * would have. May be repeated until `run.opens` was called. `domainId` is empty for an operation over many domains.
 */
export type OperationWork = (
  caller: Caller,
  domainId: string,
  input: never,
  run: OperationRun,
) => Promise<object>

/** An operation to be stored; the caller's permission has been checked. */
export interface NewOperation {
  /** If it has to be known in advance. */
  id?: string
  kind: OperationKind
  /** Null: over many domains. The work then checks what a token may do. */
  domain: GrantedDomain | null
  caller: Caller
  /** JSON. */
  input: object
  /** Record changes, as far as known. */
  total: number
  /**
   * Takes the work (such as a kept plan) in the transaction that stores the operation, and returns the `total`. Rejects if
   * it is not there.
   */
  take?: (trx: Executor, operationId: string) => Promise<number>
}

/** Operations: each is run by one instance, those of a domain one after another. */
export interface Operations {
  /** Changes that a request makes itself. */
  largeChange: number
  /** Declares the work of a kind. */
  define(kind: OperationKind, work: OperationWork): void
  /** Stores an operation, to be begun soon. 429 if the caller has too many unfinished ones, 503 if all users together do. */
  begin(operation: NewOperation): Promise<Operation>
  /** An operation of the user, or any for administrators; otherwise 404. */
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
