import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Zonekeeper } from '../typescript/index.ts'
import { createServer } from './tool-server.ts'

/** Serves the tools on standard input and output until the other side closes them. */
export function serveTools(client: Zonekeeper, version: string): void {
  serveStdio(() => createServer(client, version), {
    onerror: (error) => process.stderr.write(`zonekeeper mcp: ${error.message}\n`),
  })
}
