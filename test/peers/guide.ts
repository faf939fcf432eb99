import { readFileSync } from 'node:fs'
import path from 'node:path'
import { startProgram } from './processes.ts'
import { ADMIN, CHECKOUT } from './zonekeeper.ts'

/* The commands of the README and of docs/, to be run as they stand there. */
const read = (file: string) => readFileSync(path.join(CHECKOUT, file), 'utf8')

const blocksOf = (text: string): string[] =>
  [...text.matchAll(/```sh\n([^]*?)```/g)].map((match) => match[1] ?? '')

/** The code blocks of each of the first steps of the README, by its heading. */
export function firstSteps(): Record<string, string[]> {
  const [section = ''] = (read('README.md').split('\n## First steps\n')[1] ?? '').split('\n## ')
  const parts = section.split('\n### ').slice(1)
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf('\n')), blocksOf(part)]))
}

/** The code blocks of a page of docs/, or of its section of that heading. */
export function commandsOf(page: string, heading?: string): string[] {
  const text = read(`docs/${page}`)
  if (heading === undefined) return blocksOf(text)
  const [section] = (text.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')
  if (!section) throw new Error(`docs/${page} has no section ${heading}`)
  return blocksOf(section)
}

const NEXT = '=== next\n'

/**
 * Runs the blocks one after another in one shell, in that folder, with a service at `url`; the first that fails
 * ends it. Answers its exit code, and what each of them wrote.
 */
export async function runBlocks(
  blocks: string[],
  { url, home, env = {} }: { url: string; home: string; env?: Record<string, string> },
): Promise<{ code: number; said: string[] }> {
  const commands = ['set -eu\n', ...blocks]
    .join(`printf '${NEXT.trimEnd()}\\n'\n`)
    .replaceAll('localhost:3000', new URL(url).host)
    .replace('put the password here', ADMIN.password)
  const shell = await startProgram(['bash', '-c', commands], {
    cwd: home,
    env: { ...process.env, HOME: home, ...env },
  })
  const code = await shell.ended
  return { code, said: shell.output().split(NEXT).slice(1) }
}
