import type { Test } from 'tap'
import type { Answer } from './app.ts'

/** That the answer is a problem document (RFC 9457) of that code, and tells nothing of our insides. */
export function isProblem(t: Test, answer: Answer, status: number, code: string): void {
  t.equal(answer.status, status)
  t.match(answer.headers['content-type'], /^application\/problem\+json/)
  t.match(answer.body, { type: 'about:blank', title: /./, status, detail: /./, code, requestId: /./ })
  t.notMatch(JSON.stringify(answer.body), /\bat .*\.[tj]s|node_modules|select |FST_|stack/i)
}
