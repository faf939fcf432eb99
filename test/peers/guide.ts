import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startProgram } from './processes.ts'
import { ADMIN, CHECKOUT } from './zonekeeper.ts'

/* The commands of docs/, run by tests as they are. */
const read = (file: string) => readFileSync(path.join(CHECKOUT, file), 'utf8')

/** A code block of a page. */
export interface Block {
  /** The page's path in docs/. */
  page: string
  /** What stands behind `sh`: '' for blocks that run here, else a key of `ELSEWHERE`, or `foreground`. */
  tag: string
  code: string
}

/** Why a block can't run in a test. Its fence says which: ```sh docker. */
export const ELSEWHERE: Record<string, string> = {
  cloud: 'needs an account at a cloud provider',
  docker: 'needs a container engine',
  install: 'installs into the system',
  service: 'configures a system service as root',
  smtp: 'needs a mail server',
}

const FIRST_STEPS = 'first-steps.md'

/** Sections whose blocks need an installation of their own, and the test that runs them. */
export const RUN_BY_OTHERS: readonly (readonly [page: string, heading: string, file: string])[] = [
  ['operations.md', 'Backup', 'test/peers/backup.test.ts'],
  ['point-in-time.md', 'Set up', 'test/peers/point-in-time.test.ts'],
  ['point-in-time.md', 'Back up', 'test/peers/point-in-time.test.ts'],
  ['point-in-time.md', 'Restore', 'test/peers/point-in-time.test.ts'],
]

const blocksOf = (text: string, page: string): Block[] =>
  [...text.matchAll(/^```sh *(.*)\n([^]*?)^```/gm)].map(([, tag = '', code = '']) => ({ page, tag, code }))

/** The code blocks of each of the first steps, by its heading. */
export function firstSteps(): Record<string, Block[]> {
  const parts = read(`docs/${FIRST_STEPS}`).split('\n## ').slice(1)
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), blocksOf(part, FIRST_STEPS)]),
  )
}

/** The code blocks of a page of docs/, or of its section of that heading. */
export function commandsOf(page: string, heading?: string): Block[] {
  const text = read(`docs/${page}`)
  return blocksOf(heading === undefined ? text : sectionOf(text, page, heading), page)
}

function sectionOf(text: string, page: string, heading: string): string {
  const [section] = (text.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')
  if (!section) throw new Error(`docs/${page} has no section ${heading}`)
  return section
}

/** All blocks a reader comes by: the first steps, then each page in the order in which docs/index.md lists it, then the rest. */
export function pagesInOrder(): Block[] {
  const linked = [...read('docs/index.md').matchAll(/^- \[([\w-]+\.md)\]/gm)].map(([, page = '']) => page)
  const all = globSync('**/*.md', { cwd: path.join(CHECKOUT, 'docs') }).sort()
  const rest = all.filter((page) => !linked.includes(page))
  const pages = [...linked, ...rest].filter((page) => page !== FIRST_STEPS)
  return [
    ...Object.values(firstSteps()).flat(),
    ...pages.flatMap((page) => {
      let text = read(`docs/${page}`)
      for (const [other, heading] of RUN_BY_OTHERS) {
        if (other === page) text = text.replace(sectionOf(text, page, heading), '')
      }
      return blocksOf(text, page)
    }),
  ]
}

const NEXT = '=== next\n'

/**
 * Runs the blocks one after another in one shell, in that folder, with a service at `url`; the first that fails
 * ends it. A block that stays in the foreground is stopped after two seconds. Answers its exit code, and what each of
 * them wrote.
 */
export async function runBlocks(
  blocks: (Block | string)[],
  { url, home, env = {} }: { url: string; home: string; env?: Record<string, string> },
): Promise<{ code: number; said: string[] }> {
  const commands = [
    'set -eu\n',
    ...blocks.map((block) => (typeof block === 'string' ? block : shellOf(block))),
  ]
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

// With job control, so that the signal reaches all processes of the block.
const shellOf = ({ tag, code }: Block): string =>
  tag === 'foreground'
    ? `set -m\n{ ${code.trimEnd()}\n} &\nsleep 2\nkill %% || true\nwait || true\nset +m\n`
    : code
