import { readFileSync } from 'node:fs'
import t from 'tap'
import { ACCEPTED, acceptedAs, type Accepted } from './accepted.ts'
import { differencesOf, MISSING, type Answer } from './compare.ts'
import { DOCUMENTED } from './documented.ts'
import type { Backend, Scenario, Step } from './scenario.ts'
import { send, startReference, startService, type ApiServer } from './servers.ts'
import { TOOLS } from './tools.ts'

/*
 * Requests from PowerDNS's documentation, and those that programs send, to a real PowerDNS and to the service with
 * three kinds of providers behind it: statuses and bodies are compared member by member.
 */
t.setTimeout(300_000)
const [reference, service] = await Promise.all([startReference(t), startService(t)])
const SCENARIOS: Scenario[] = [...DOCUMENTED, ...TOOLS]
const BACKENDS: Backend[] = ['powerdns', 'cloudflare', 'manual']
const met = new Set<Accepted>()

/** The answers to a scenario's requests, in their order. */
async function play(server: ApiServer, { steps }: Scenario, zone: string): Promise<Answer[]> {
  await server.addZone(zone)
  const answers: Answer[] = []
  for (const step of steps(zone)) answers.push(await send(server, step))
  return answers
}

const titleOf = ({ method, path, body }: Step): string =>
  `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`

/** What a report shows of a value. */
const shown = (value: unknown): string =>
  value === MISSING ? 'missing' : (JSON.stringify(value) ?? String(value)).slice(0, 300)

for (const [number, scenario] of SCENARIOS.entries()) {
  void t.test(`${scenario.name} (${scenario.source})`, async (t) => {
    for (const backend of BACKENDS) {
      if (!(scenario.backends ?? BACKENDS).includes(backend)) continue
      const zone = `s${number}.${backend}.test`
      const [real, ours] = await Promise.all([
        play(reference, scenario, zone),
        play(service.at[backend], scenario, zone),
      ])
      for (const [i, step] of scenario.steps(zone).entries()) {
        const request = titleOf(step)
        const differences = differencesOf(real[i] as Answer, ours[i] as Answer)
        const unexpected = differences.filter((difference) => {
          const accepted = acceptedAs(backend, scenario.name, request, difference)
          if (accepted) met.add(accepted)
          return accepted === undefined
        })
        const lines = unexpected.map(({ where, real: there, ours: here }) => {
          const why = where === 'status' ? ` ${shown(ours[i]?.body)}` : ''
          return `${where}: PowerDNS ${shown(there)}, we ${shown(here)}${why}`
        })
        t.same(lines, [], `${backend}: ${request.slice(0, 300)}`)
      }
    }
  })
}

void t.test('each accepted difference is still there, and told in docs/powerdns-api.md', (t) => {
  const page = readFileSync(new URL('../../../docs/powerdns-api.md', import.meta.url), 'utf8')
  for (const accepted of ACCEPTED) t.ok(met.has(accepted), `is met: ${accepted.what}`)
  const section = page.split('\n## Differences\n')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (?!What |-)(.+?) +\| (.+?) +\|$/gm)].map(([, what, why]) => ({
    what,
    why,
  }))
  t.same(
    rows,
    ACCEPTED.map(({ what, why }) => ({ what, why })),
  )
  t.end()
})
