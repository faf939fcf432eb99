import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

interface Owner {
  teardown(end: () => unknown): void
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** An object is sent as JSON; null: nothing is ever sent. */
  body?: object | string | null
  /** The answer waits for it. */
  after?: Promise<void>
}

export interface RdapServer {
  /** Without a final slash. */
  url: string
  host: string
  /** What is answered, by path; anything else is 404. */
  replies: Map<string, Reply>
  requests: { path: string; headers: IncomingHttpHeaders }[]
}

/** An RDAP server (and whatever else is asked for by HTTP) on a free port of loopback. */
export async function startRdap(t: Owner): Promise<RdapServer> {
  const replies: RdapServer['replies'] = new Map()
  const requests: RdapServer['requests'] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const { status = 200, headers = {}, body = '', after } = replies.get(path) ?? { status: 404 }
    if (body === null) return
    await after
    response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = createHttpServer((request, response) => void answer(request, response))
  const port = await listen(t, server, () => server.closeAllConnections())
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, replies, requests }
}

/** A text, bytes, nothing ever (null), or text without end. */
type Words = string | Buffer | null | { endless: string }

export interface WhoisServer {
  host: string
  questions: string[]
  /** By question, without its line end; `*` for all others. */
  answers: Map<string, Words>
}

/** A WHOIS server on a free port of loopback. */
export async function startWhois(t: Owner): Promise<WhoisServer> {
  const answers: WhoisServer['answers'] = new Map()
  const questions: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let heard = ''
    socket.on('data', (chunk) => {
      heard += String(chunk)
      if (!heard.endsWith('\r\n')) return
      const question = heard.slice(0, -2)
      questions.push(question)
      const words = answers.get(question) ?? answers.get('*') ?? null
      if (words === null) return
      if (typeof words === 'string' || Buffer.isBuffer(words)) socket.end(words)
      else pour(socket, words.endless)
    })
  })
  const port = await listen(t, server, () => sockets.forEach((socket) => socket.destroy()))
  return { host: `127.0.0.1:${port}`, questions, answers }
}

function pour(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text.repeat(100)));
  }
  socket.on('drain', more)
  more()
}

async function listen(t: Owner, server: Server, closeAll: () => void): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    closeAll()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A list as IANA publishes it. */
export const bootstrapList = (services: [suffixes: string[], urls: string[]][]) => ({
  version: '1.0',
  publication: '2026-01-01T00:00:00Z',
  description: 'RDAP servers of the test',
  services,
})

/** An answer about a domain as most registries give it. */
export const rdapDomain = (name: string, more: object = {}) => ({
  rdapConformance: ['rdap_level_0'],
  objectClassName: 'domain',
  handle: '1-TEST',
  ldhName: name.toUpperCase(),
  status: ['client transfer prohibited', 'active'],
  events: [
    { eventAction: 'registration', eventDate: '2001-05-04T03:02:01Z' },
    { eventAction: 'expiration', eventDate: '2031-05-04T03:02:01Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
  ],
  entities: [
    {
      objectClassName: 'entity',
      handle: '999',
      roles: ['registrar'],
      publicIds: [{ type: 'IANA Registrar ID', identifier: '999' }],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Test Registrar Ltd'],
        ],
      ],
    },
  ],
  nameservers: [
    { objectClassName: 'nameserver', ldhName: 'NS1.TEST.EXAMPLE.' },
    { objectClassName: 'nameserver', ldhName: 'ns2.test.example' },
  ],
  ...more,
})
