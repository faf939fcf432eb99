import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'

export interface HttpResponse {
  status: number
  /** Names in lower case; values of a repeated header are joined by ", ". */
  headers: Record<string, string>
  body: string
  /** Only if the request set `binary`. */
  bytes?: Uint8Array
}

export type OutboundErrorKind =
  | 'blocked' // not a public address, and not listed
  | 'unreachable' // no connection, or it broke, or the answer was not HTTP
  | 'timeout'
  | 'too_large'
  | 'aborted' // by the caller's signal, or on shutdown

/** Why a call has no answer. The message may be shown: it contains no path, credential or remote text. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  /** The request may have reached the peer. */
  readonly sent: boolean

  constructor(kind: OutboundErrorKind, message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.kind = kind
    this.sent = sent
  }
}

interface ExchangeOptions {
  /** Host and port, for messages. */
  peer: string
  timeoutMs: number
  maxBytes: number
  binary: boolean
  signal: AbortSignal | undefined
}

const unzip = promisify(gunzip)

/** One request and its answer, as undici's dispatch reports them; `answer` always settles. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpResponse>
  readonly #options: ExchangeOptions
  readonly #settle: PromiseWithResolvers<HttpResponse> = Promise.withResolvers()
  readonly #timer: NodeJS.Timeout
  readonly #onAbort = () => this.#fail('aborted', 'was aborted')
  #controller: Dispatcher.DispatchController | undefined
  #settled = false
  #status = 0
  #headers: Record<string, string> = {}
  #chunks: Buffer[] = []
  #size = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.answer = this.#settle.promise
    this.#timer = setTimeout(() => this.#timeOut(), options.timeoutMs)
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (options.signal?.aborted === true) this.#onAbort()
  }

  /** Just before the request is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while waiting for a connection: nothing is written.
    if (this.#settled) return controller.abort(new Error('given up'))
    this.#controller = controller
  }

  onResponseStart(_: unknown, status: number, headers: NodeJS.Dict<string | string[]>): void {
    // 1xx answers are informational.
    if (status < 200) return
    this.#status = status
    for (const [name, value] of Object.entries(headers)) {
      this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '')
    }
    if (Number(this.#headers['content-length']) > this.#options.maxBytes) this.#tooLarge()
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#options.maxBytes) return this.#tooLarge()
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#settled) return
    this.#decode(Buffer.concat(this.#chunks, this.#size)).then(
      (bytes) => this.#succeed(bytes),
      (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_BUFFER_TOO_LARGE' ? this.#tooLarge() : this.onResponseError(undefined, error),
    )
  }

  onResponseError(_: unknown, error: Error): void {
    if (error instanceof OutboundError) this.#fail(error.kind, error.message, error)
    else if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT')
      this.#fail('timeout', 'did not answer in time', error)
    else if (codeOf(error) === 'UND_ERR_DESTROYED')
      this.#fail('aborted', 'was not called: the service is stopping')
    else this.#fail('unreachable', reasonOf(error, this.#controller !== undefined), error)
  }

  // Decoded at the end, with a limit: a small answer that decompresses to gigabytes stops here.
  async #decode(bytes: Buffer): Promise<Buffer> {
    const encoding = this.#headers['content-encoding']?.trim().toLowerCase() ?? ''
    if (bytes.length === 0 || encoding === '' || encoding === 'identity') return bytes
    if (encoding === 'gzip' || encoding === 'x-gzip') {
      return unzip(bytes, { maxOutputLength: this.#options.maxBytes })
    }
    throw new Error('sent an encoding that was not requested')
  }

  #timeOut(): void {
    this.#fail('timeout', `did not answer within ${this.#options.timeoutMs / 1000} s`)
  }

  #tooLarge(): void {
    this.#fail('too_large', `answered more than ${this.#options.maxBytes} bytes`)
  }

  #succeed(bytes: Buffer): void {
    if (!this.#finish()) return
    const answer = this.#options.binary ? { body: '', bytes } : { body: new TextDecoder().decode(bytes) }
    this.#settle.resolve({ status: this.#status, headers: this.#headers, ...answer })
  }

  #fail(kind: OutboundErrorKind, reason: string, cause?: Error): void {
    if (!this.#finish()) return
    const sent = this.#controller !== undefined
    const message = cause instanceof OutboundError ? reason : `${this.#options.peer} ${reason}`
    const error = new OutboundError(kind, message, sent, cause)
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  #finish(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#chunks = []
    return true
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'has no address: the name does not exist',
  EAI_AGAIN: 'could not be resolved',
  EHOSTUNREACH: 'is unreachable from here',
  ENETUNREACH: 'is unreachable from here',
  UND_ERR_INVALID_ARG: 'could not be called: a header or address contains invalid characters',
}

/** Describes a failure of a peer for people; follows its name. */
export function reasonOf(error: Error, sent: boolean): string {
  const code = codeOf(error)
  const known = REASONS[code]
  if (known !== undefined) return known
  if (/CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code)) return `does not have a valid TLS certificate (${code})`
  if (code.startsWith('HPE_')) return 'did not answer in HTTP'
  return sent ? 'closed the connection before the answer was complete' : 'could not be reached'
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')
