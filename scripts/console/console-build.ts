import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'

/** Builds the console if a source file is newer than the build. Throws when the build fails. */
export async function buildConsoleIfOld(): Promise<void> {
  const builtAt = statSync('web/dist/index.html', { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync('web/**/*.{ts,tsx,css,html,svg}', { exclude: ['web/dist/**'] })
  if (!sources.some((file) => statSync(file).mtimeMs > builtAt)) return
  const child = spawn(process.execPath, ['scripts/console/build-console.ts'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error('The console build failed')
}
