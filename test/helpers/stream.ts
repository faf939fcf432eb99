import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { until } from './until.ts'

/** A message as it came in. */
export interface Received {
  /** Of the line `id:`. */
  lastEventId: string
  event: string
  id: string
  title: string
  content: string
  level: string
  read: boolean
  createdAt: string
  // Each event tells something else.
  // oxlint-disable-next-line typescript/no-explicit-any
  metadata: any
}

/** A client of the event stream, over a connection of its own. */
export interface Listener {
  status: number
  headers: IncomingHttpHeaders
  /** All that came, as text. */
  text(): string
  messages: Received[]
  /** Waits until so many messages are there, `connected` included; answers them. */
  count(messages: number): Promise<Received[]>
  ended: Promise<void>
  close(): void
}

const PATH = '/api/notifications/stream'

/** Opens the stream; what is no stream is read to its end. */
export async function listen(
  base: string,
  {
    token,
    path = PATH,
    query = {},
    headers = {},
  }: {
    token?: string
    path?: string
    query?: Record<string, string>
    headers?: Record<string, string>
  } = {},
): Promise<Listener> {
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const call = request(url, { agent: false, headers: { ...authorization, ...headers } })
  let text = ''
  let rest = ''
  const messages: Received[] = []
  let over = false
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject).end()
  })
  const isStream = response.headers['content-type'] === 'text/event-stream'
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() as string
    if (isStream) messages.push(...parts.flatMap(parse))
  })
  const ended = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
    over = true
  })
  // Being cut off is a part of some tests.
  response.on('error', () => {})
  if (!isStream) await ended
  return {
    status: response.statusCode as number,
    headers: response.headers,
    text: () => text,
    messages,
    async count(wanted) {
      await until(`${wanted} messages`, () => messages.length >= wanted || over)
      if (messages.length < wanted) throw new Error(`${messages.length} of ${wanted} messages came: ${text}`)
      return messages
    },
    ended,
    close: () => void response.destroy(),
  }
}

function parse(block: string): Received[] {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line) ?? [])
  const data = fields.find(([, name]) => name === 'data')?.[2]
  if (data === undefined) return []
  const lastEventId = fields.find(([, name]) => name === 'id')?.[2] ?? ''
  return [{ ...(JSON.parse(data) as Omit<Received, 'lastEventId'>), lastEventId }]
}
