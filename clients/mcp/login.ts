import { readLogin } from '../cli/settings.ts'
import { createClient } from '../typescript/index.ts'
import { serveTools } from './stdio.ts'

/**
 * Serves the tools on standard input and output, with ZONEKEEPER_URL and ZONEKEEPER_TOKEN or the stored login of the command
 * line. Rejects with CliError if something is missing.
 */
export async function serveLogin(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  // No retries: the assistant gets the time to try again.
  serveTools(createClient({ ...(await readLogin(env)), client: 'mcp', retries: 0 }), version)
}
