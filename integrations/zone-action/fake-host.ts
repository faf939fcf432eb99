import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Comment {
  id: number
  body: string
  user: { login: string }
}

/** A code host with one pull request: the routes of GitHub's REST API that the action calls. */
export interface FakeHost {
  url: string
  comments: Comment[]
  /** Of the branch. */
  newest: string
  /** Method and path of each request. */
  requests: string[]
  /** Runs when the newest commit is asked for. */
  onRef: () => Promise<unknown>
  /** Answers this status instead of writing. */
  refuses: number | null
}

const TOKEN = 'ghs_secret'
export const HOST_TOKEN = TOKEN
const BOT = 'github-actions[bot]'

export async function startHost(t: { teardown(end: () => unknown): void }): Promise<FakeHost> {
  const comments: Comment[] = []
  const host: FakeHost = {
    url: '',
    comments,
    newest: '',
    requests: [],
    onRef: () => Promise.resolve(),
    refuses: null,
  }
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const { method, url = '', headers } = request
    const { pathname, searchParams } = new URL(url, 'http://host')
    host.requests.push(`${method} ${pathname}`)
    if (headers.authorization !== `Bearer ${TOKEN}`) return [401, {}]
    const sent = await text(request)
    if (pathname === '/repos/team/zones/git/ref/heads/main') {
      await host.onRef()
      return [200, { object: { sha: host.newest } }]
    }
    if (method === 'GET' && pathname === '/repos/team/zones/issues/7/comments') {
      const [size, page] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))]
      return [200, comments.slice(size * (page - 1), size * page)]
    }
    if (host.refuses !== null) return [host.refuses, {}]
    const { body = '' } = JSON.parse(sent || '{}') as { body?: string }
    if (body.length > 65_536) return [422, {}]
    if (method === 'POST' && pathname === '/repos/team/zones/issues/7/comments') {
      comments.push({ id: comments.length + 1, body, user: { login: BOT } })
      return [201, {}]
    }
    const own = comments.find(({ id }) => pathname === `/repos/team/zones/issues/comments/${id}`)
    if (method !== 'PATCH' || !own) return [404, {}]
    own.body = body
    return [200, own]
  }
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return host
}
