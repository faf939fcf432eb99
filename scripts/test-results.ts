import type { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { Parser, type Result } from 'tap-parser'

/** What the assertions of one test file came to. */
export interface TestResults {
  passed: number
  failures: { test: string; details: string }[]
  /** Also those marked as to do. */
  skips: { test: string; reason: string }[]
}

/** Reads the TAP (version 14) that a test file writes, to its end. */
export function readResults(output: Readable): Promise<TestResults> {
  const results: TestResults = { passed: 0, failures: [], skips: [] }
  const skipped = ({ fullname, skip, todo }: Result) => {
    const reason = skip || todo
    results.skips.push({ test: fullname, reason: reason === true ? 'without a reason' : String(reason) })
  }
  return new Promise((resolve) => {
    const parser = new Parser(({ failures }) => {
      // Not an assertion: the output itself is wrong, for example cut off before the plan.
      for (const { tapError } of failures)
        if (tapError) results.failures.push({ test: tapError, details: '' })
      resolve(results)
    })
    parser.on('pass', () => results.passed++)
    parser.on('fail', ({ fullname, diag }: Result) => {
      results.failures.push({ test: fullname, details: describe(diag) })
    })
    parser.on('skip', skipped)
    parser.on('todo', skipped)
    output.pipe(parser)
  })
}

/** Texts as they are, for a diff has many lines. */
function describe(diagnostics: unknown): string {
  return Object.entries(diagnostics ?? {})
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : inspect(value, { depth: 8 })}`)
    .join('\n')
}
