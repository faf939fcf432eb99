import type { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { Parser, type Result } from 'tap-parser'

/** Results of one test file. */
export interface TestResults {
  passed: number
  failures: { test: string; details: string }[]
  /** Includes tests marked as to do. */
  skips: { test: string; reason: string }[]
}

/** Reads the TAP 14 output of a test file to its end. */
export function readResults(output: Readable): Promise<TestResults> {
  const results: TestResults = { passed: 0, failures: [], skips: [] }
  const skipped = ({ fullname, skip, todo }: Result) => {
    const reason = skip || todo
    results.skips.push({ test: fullname, reason: reason === true ? 'without a reason' : String(reason) })
  }
  return new Promise((resolve) => {
    const parser = new Parser(({ failures }) => {
      // The output itself is malformed, for example truncated before the plan.
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

/** Keeps strings unquoted, because diffs have many lines. */
function describe(diagnostics: unknown): string {
  return Object.entries(diagnostics ?? {})
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : inspect(value, { depth: 8 })}`)
    .join('\n')
}
