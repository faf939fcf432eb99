import { CliError } from '../cli/failures.ts'
import { serveLogin } from './login.ts'
import manifest from './package.json' with { type: 'json' }

/** Runs the package's program, which an assistant starts. */
export async function main(): Promise<void> {
  if (process.argv.includes('--version')) {
    process.stdout.write(`${manifest.version}\n`)
    return
  }
  try {
    await serveLogin(process.env, manifest.version)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    process.stderr.write(`zonekeeper-mcp: ${error.message}\n`)
    process.exitCode = error.exit
  }
}
