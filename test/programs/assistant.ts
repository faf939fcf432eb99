import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'

/** What a tool answers. */
export interface ToolAnswer {
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- of many shapes
  data: any
  isError: boolean
}

/** Lets the app listen, and returns the address of its MCP endpoint. */
export async function listenForAssistants(app: FastifyInstance): Promise<URL> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`)
}

/**
 * An assistant with that token, played by the SDK's own client, which also checks answers by their schemas. `heard` is called
 * with each answer as it was received.
 */
export async function connectAssistant(
  t: { teardown(end: () => Promise<unknown>): void },
  url: URL,
  token: string,
  { mode = 'auto', heard }: { mode?: 'auto' | 'legacy'; heard?: (result: object) => void } = {},
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  t.teardown(() => client.close())
  await client.listTools()
  async function call(name: string, given: object = {}): Promise<ToolAnswer> {
    const result = await client.callTool({ name, arguments: { ...given } })
    heard?.(result)
    const [first] = result.content as { text: string }[]
    return { text: first?.text ?? '', data: result.structuredContent ?? {}, isError: result.isError === true }
  }
  return { client, call }
}
