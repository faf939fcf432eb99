import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

interface Owner {
  teardown(end: () => unknown): void
}

/** A web server on a loopback address that does what a test wants. */
export interface Target {
  address: string
  /** What the next requests get: a status, a body, or no answer at all. */
  answers: { status: number; body: string; hangs: boolean }
  /** Host headers of all requests so far. */
  hosts: string[]
}

/** Web servers on 127.0.0.2, 127.0.0.3 … that listen on one port. */
export async function startTargets(t: Owner, count: number): Promise<{ port: number; targets: Target[] }> {
  const targets: Target[] = []
  let port = 0
  for (let at = 0; at < count; at++) {
    const target: Target = {
      address: `127.0.0.${at + 2}`,
      answers: { status: 200, body: 'all fine', hangs: false },
      hosts: [],
    }
    const server: Server = createServer((request, response) => {
      target.hosts.push(request.headers.host ?? '')
      const { status, body, hangs } = target.answers
      if (!hangs) response.writeHead(status).end(body)
    })
    server.listen(port, target.address)
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    targets.push(target)
  }
  return { port, targets }
}
