import type { TObject } from '@sinclair/typebox'
import type { ChannelConfigsTable } from '../../../db/tables/index.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { ExternalFailure, FailureCode } from '../../../schemas/codes/failure-codes.ts'
import type { Http } from '../../../plugins/outbound/http.ts'
import type { Mail } from '../../../plugins/mail/index.ts'
import type { Installation } from '../../../plugins/installation.ts'
import type { AnnouncedName, Level } from '../../../schemas/events/event-catalogue.ts'

export type ChannelKind = ChannelConfigsTable['channel']

/** A message as receivers get it, in any kind of channel. */
export interface Message {
  event: AnnouncedName
  /** Id of the event: the same in each attempt and channel. */
  id: string
  title: string
  content: string
  level: Level
  metadata: object
  /** ISO 8601. */
  createdAt: string
}

/** What senders need of the app. */
export interface HttpAccess {
  http: Http
  mail: Mail
  db: Executor
  installation: Pick<Installation, 'url'>
}

/** Rate limit of a receiver: `burst` messages at once, then one per `intervalMs`. */
export interface Pace {
  burst: number
  intervalMs: number
}

/**
 * One kind of channel. A configuration is a flat object described by `schema`. All of it is stored sealed; only `mask` of
 * it is ever shown.
 */
export interface Sender<C extends object = object> {
  readonly kind: ChannelKind
  readonly schema: TObject
  /** Null: no known rate limit. */
  readonly pace: Pace | null
  /**
   * Secrets sent to the receiver, or used to sign. A change of the URL in `to` doesn't keep them, or they could be sent
   * to a URL of the editor's choice.
   */
  readonly tied?: { to: string; secrets: readonly string[] }
  /** Throws an AppError if the service doesn't meet the requirements of this kind. */
  require?(httpAccess: HttpAccess): void
  /** Faults beyond the schema; paths within the configuration. */
  check(config: C): FieldError[]
  mask(config: C): object
  /** Resolves when the receiver has accepted the message. Rejects with DeliveryError or Interrupted. */
  send(message: Message, config: C, httpAccess: HttpAccess, options: SendOptions): Promise<void>
}

export interface SendOptions {
  /** Limit of the whole exchange with the receiver. */
  timeoutMs: number
  signal: AbortSignal
}

export type FailureKind =
  | 'transient' // may succeed later, possibly after an administrator fixes something
  | 'permanent' // this message will never be accepted
  | 'gone' // the receiver accepts no more messages at all

/** Why a message was not accepted. Shown to users: without URLs, secrets or remote text. */
export class DeliveryError extends Error {
  readonly code: FailureCode
  /** Values in the message. */
  readonly params: ExternalFailure['params']
  readonly kind: FailureKind
  /** Seconds the receiver asks to wait. */
  readonly waitSeconds: number

  constructor(
    message: string,
    options: {
      code: FailureCode
      params?: ExternalFailure['params']
      kind?: FailureKind
      waitSeconds?: number
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'DeliveryError'
    this.code = options.code
    this.params = options.params
    this.kind = options.kind ?? 'transient'
    this.waitSeconds = options.waitSeconds ?? 0
  }
}

/** The service is stopping: the outcome is unknown, and the attempt doesn't count. */
export class Interrupted extends Error {
  constructor(cause: unknown) {
    super('The service is stopping', { cause })
    this.name = 'Interrupted'
  }
}
