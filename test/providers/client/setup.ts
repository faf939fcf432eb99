import type { Test } from 'tap'
import { createHttp } from '../../../plugins/outbound/http.ts'
import { createTcp } from '../../../plugins/outbound/tcp.ts'
import type { AdapterContext, RateReport } from '../../../modules/providers/context.ts'
import type { ProviderError } from '../../../modules/providers/contract.ts'
import { ApiClient, type Api } from '../../../modules/providers/client/client.ts'
import { adapterContext } from '../../conformance/adapter-context.ts'
import { fakeClock } from '../../conformance/fake-clock.ts'
import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', connection: 'close', ...headers },
  body: JSON.stringify(value),
})

export const ok = (value: unknown = {}) => json(200, value)

/** A client of a provider that answers what `answers` says in turn, the last again and again; no wait takes any time. */
export async function start(
  t: Test,
  answers: SimulatorAnswer[] | ((request: SimulatorRequest) => SimulatorAnswer),
  api: Partial<Api> = {},
  given: Partial<AdapterContext> = {},
) {
  const left = Array.isArray(answers) ? [...answers] : []
  const next = () => (left.length > 1 ? left.shift() : left[0]) as SimulatorAnswer
  const server = await startServer((request) => (Array.isArray(answers) ? next() : answers(request)))
  const allow = ['127.0.0.0/8']
  const [http, tcp] = [createHttp({ allow }), createTcp({ allow })]
  t.teardown(async () => {
    await Promise.all([server.close(), http.close()])
    tcp.close()
  })
  const clock = fakeClock()
  const seen = { reports: [] as RateReport[], pauses: [] as number[], turns: [] as string[] }
  const limiter = {
    turn: async (of: string) => void seen.turns.push(of),
    note: (report: RateReport) => void seen.reports.push(report),
    pause: (ms: number) => void seen.pauses.push(ms),
  }
  const deadline = clock.now() + 15_000
  const context = adapterContext({ http, tcp, clock, limiter, deadline, maxTries: 3, ...given })
  const base: Api = { provider: 'Example', url: `${server.url}/v1`, secrets: [], ...api }
  return { client: new ApiClient(base, context), server, clock, ...seen }
}

export const failure = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It succeeded')
    },
    (error: ProviderError) => error,
  )
