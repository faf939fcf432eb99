import type { TObject } from '@sinclair/typebox'
import type { ChannelConfigsTable } from '../../../db/tables/index.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { ExternalFailure, FailureCode } from '../../../schemas/failure-codes.ts'
import type { Http } from '../../../plugins/outbound/http.ts'
import type { Mail } from '../../../plugins/mail/index.ts'
import type { Installation } from '../../../plugins/installation.ts'
import type { AnnouncedName, Level } from '../../../schemas/events/event-catalogue.ts'

export type ChannelKind = ChannelConfigsTable['channel']

/** What receivers are told, whatever the channel. */
export interface Message {
  event: AnnouncedName
  /** Of the event: the same on each try and in each channel. */
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

/** How fast a receiver may be told: `burst` messages at once, then one each `intervalMs`. */
export interface Pace {
  burst: number
  intervalMs: number
}

/**
 * One kind of channel. A configuration is a flat object as `schema` says; the whole of it is stored sealed,
 * and only `mask` of it is ever shown.
 */
export interface Sender<C extends object = object> {
  readonly kind: ChannelKind
  readonly schema: TObject
  /** Null: the receiver sets no limit that is known. */
  readonly pace: Pace | null
  /**
   * Secrets that the receiver is sent, or something made by them: they stay in a changed configuration only
   * while the address in `to` stays, or whoever changes it would be sent them.
   */
  readonly tied?: { to: string; secrets: readonly string[] }
  /** Throws an AppError when the service lacks what this kind of channel needs. */
  require?(httpAccess: HttpAccess): void
  /** What is wrong beyond what the schema can say; paths within the configuration. */
  check(config: C): FieldError[]
  mask(config: C): object
  /** Resolves when the receiver has taken the message. Rejects with DeliveryError, or Interrupted. */
  send(message: Message, config: C, httpAccess: HttpAccess, options: SendOptions): Promise<void>
}

export interface SendOptions {
  /** For the whole exchange with the receiver. */
  timeoutMs: number
  signal: AbortSignal
}

export type FailureKind =
  | 'transient' // may go better later, by itself or when the administrator mends something
  | 'permanent' // this very message will never be taken
  | 'gone' // the receiver wants no more messages at all

/** Why a message was not taken. The words may be shown: no address, secret or remote text in them. */
export class DeliveryError extends Error {
  /** What it is, for programs. */
  readonly code: FailureCode
  /** What the words name. */
  readonly params: ExternalFailure['params']
  readonly kind: FailureKind
  /** The receiver asks not to be called before that many seconds. */
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

/** The service is stopping: nobody knows whether the message was taken, and it counts as not tried. */
export class Interrupted extends Error {
  constructor(cause: unknown) {
    super('The service is stopping', { cause })
    this.name = 'Interrupted'
  }
}
