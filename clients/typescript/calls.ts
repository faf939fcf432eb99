export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** Options that every call takes. */
export interface CallOptions {
  /** Such as If-Match, or an Idempotency-Key of your own. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** One call, ready to be sent. */
export interface Call extends CallOptions {
  method: Method
  /** From /api on, with path parameters and query filled in. */
  address: string
  /** JSON, or the text itself when it is a string. */
  body?: unknown
}

type PathsWith<Api, M extends Method> = { [P in keyof Api]: M extends keyof Api[P] ? P : never }[keyof Api]
type Operation<Api, P extends keyof Api, M extends Method> = M extends keyof Api[P] ? Api[P][M] : never
type Parameters<Op> = Omit<Op, 'answer'>
type Options<Op> = Parameters<Op> & CallOptions

/** The answer of one operation: `Answer<OpenApi, '/api/v1/token', 'GET'>`. */
export type Answer<Api, P extends keyof Api, M extends Method> =
  Operation<Api, P, M> extends { answer: infer A } ? A : never

/** A function for each method, typed by path: `GET('/api/v1/domains/{id}', { path: { id } })`. */
export type Calls<Api> = {
  readonly [M in Method]: <P extends PathsWith<Api, M>>(
    path: P,
    ...options: object extends Parameters<Operation<Api, P, M>>
      ? [options?: Options<Operation<Api, P, M>>]
      : [options: Options<Operation<Api, P, M>>]
  ) => Promise<Answer<Api, P, M>>
}

interface AnyOptions extends CallOptions {
  path?: Record<string, string | number>
  query?: object
  body?: unknown
}

/** Returns the functions of an API; `send` sends a call and returns the body of the answer, or rejects. */
export function createCalls<Api>(send: (call: Call) => Promise<unknown>): Calls<Api> {
  const by =
    (method: Method) =>
    (template: string, { path = {}, query, ...rest }: AnyOptions = {}) => {
      const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
      return send({ method, address: filled + queryOf(query), ...rest })
    }
  return { GET: by('GET'), PUT: by('PUT'), POST: by('POST'), DELETE: by('DELETE') } as Calls<Api>
}

type Scalar = string | number | boolean

/** Returns `?a=1&b=2&b=3`, or nothing. */
function queryOf(query: object = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, Scalar | Scalar[] | undefined][])
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) pairs.append(name, String(one))
  return pairs.size === 0 ? '' : `?${pairs.toString()}`
}

/** Returns the parts of a request that a body needs. */
export const bodyParts = (body: unknown): { body?: string; headers: Record<string, string> } => {
  if (body === undefined) return { headers: {} }
  return typeof body === 'string'
    ? { body, headers: { 'content-type': 'text/plain' } }
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** Reads the body of a successful answer: JSON, or text of any other type. */
export function readBody(answer: Response): Promise<unknown> {
  if (answer.status === 204) return Promise.resolve(undefined)
  return /\bjson\b/.test(answer.headers.get('content-type') ?? '') ? answer.json() : answer.text()
}
