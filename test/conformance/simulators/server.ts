import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SimulatorRequest {
  method: string
  path: string
  query: URLSearchParams
  /** Path and query as they were sent. */
  target: string
  headers: NodeJS.Dict<string | string[]>
  body: string
  /** The same to the byte. */
  bytes: Buffer
}

export interface SimulatorAnswer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What goes wrong with the next matching requests. */
export type Fault = {
  /** Which requests. Default: all. */
  on?: 'read' | 'write' | ((request: SimulatorRequest) => boolean)
  /** How many requests. Default 1; Infinity until `heal`. */
  times?: number
} & (
  | { kind: 'answer'; answer: SimulatorAnswer } // without any effect
  | { kind: 'silent'; applied: boolean } // never answers; `applied`: after it took effect
  | { kind: 'reset'; applied: boolean } // the connection is reset; `applied`: after it took effect
  | { kind: 'cut' } // takes effect, and the connection closes in the midst of the answer
  | { kind: 'garble'; body: string } // takes effect, and another text stands in the answer
  | { kind: 'belated'; until: Promise<unknown> } // the connection closes, and it takes effect then
  | { kind: 'held'; until: Promise<unknown> } // takes effect, and is answered, then
  | { kind: 'late'; until: () => Promise<unknown> } // takes effect; the answer of then comes later
)

export interface SimulatorServer {
  url: string
  /** Every request so far. */
  requests: SimulatorRequest[]
  /** Whether the request is one that changes something. */
  changes(request: SimulatorRequest): boolean
  fail(...faults: Fault[]): void
  /** Is told every answer from now on. */
  watch(listener: (answer: SimulatorAnswer) => void): void
  /** Forgets the faults that are left. */
  heal(): void
  close(): Promise<void>
}

/**
 * An HTTP server on a free loopback port that can be told to misbehave. `changes`: which requests change something,
 * where their methods don't say it.
 */
export async function startServer(
  handle: (request: SimulatorRequest) => SimulatorAnswer | Promise<SimulatorAnswer>,
  changes: (request: SimulatorRequest) => boolean = isWrite,
): Promise<SimulatorServer> {
  const requests: SimulatorRequest[] = []
  let listener: ((answer: SimulatorAnswer) => void) | undefined
  let faults: { fault: Fault; left: number }[] = []

  const takeFault = (request: SimulatorRequest): Fault | undefined => {
    const found = faults.find(({ fault, left }) => left > 0 && matches(fault.on, request, changes))
    if (found !== undefined) found.left--
    return found?.fault
  }

  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(message)
    requests.push(request)
    const fault = takeFault(request)
    if (fault?.kind === 'answer') return send(response, fault.answer)
    if (fault?.kind === 'silent' && !fault.applied) return
    if (fault?.kind === 'reset' && !fault.applied) return reset(response)
    if (fault?.kind === 'belated') {
      response.socket?.destroy()
      await fault.until
    }
    if (fault?.kind === 'held') await fault.until
    const answer = await handle(request)
    listener?.(answer)
    if (fault?.kind === 'silent' || fault?.kind === 'belated') return
    if (fault?.kind === 'late') await fault.until()
    if (fault?.kind === 'reset') return reset(response)
    if (fault?.kind === 'cut') return cut(response, answer)
    if (fault?.kind === 'garble') return send(response, { ...answer, status: 200, body: fault.body })
    send(response, answer)
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => {
      // A bug in the simulator, not in the code under test.
      console.error(error)
      send(response, { status: 500, body: 'the simulator failed' })
    })
  })
  // Longer than a client keeps an idle connection, which would else be reset as the client uses it again.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    changes,
    fail: (...more) => void faults.push(...more.map((fault) => ({ fault, left: fault.times ?? 1 }))),
    watch: (next) => void (listener = next),
    heal: () => void (faults = []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const isWrite = (request: SimulatorRequest): boolean => !['GET', 'HEAD'].includes(request.method)

function matches(on: Fault['on'], request: SimulatorRequest, changes: SimulatorServer['changes']): boolean {
  if (on === undefined) return true
  return typeof on === 'function' ? on(request) : (on === 'write') === changes(request)
}

async function readRequest(message: IncomingMessage): Promise<SimulatorRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const url = new URL(message.url ?? '/', 'http://simulator')
  const bytes = Buffer.concat(chunks)
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    target: message.url ?? '/',
    headers: message.headers,
    body: bytes.toString(),
    bytes,
  }
}

function send(response: ServerResponse, { status, headers, body = '' }: SimulatorAnswer): void {
  const length = String(Buffer.byteLength(body))
  response
    .writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': length }) })
    .end(body)
}

const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy()

function cut(response: ServerResponse, { status, headers, body = '' }: SimulatorAnswer): void {
  if (body === '') return void response.socket?.destroy()
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
}
