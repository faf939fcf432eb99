import { readFileSync } from 'node:fs'
import t from 'tap'
import { ACCEPTED, acceptedAs, type Accepted } from './accepted.ts'
import { differencesOf, MISSING, spellingOf, type Answer } from './compare.ts'
import { DOCUMENTED } from './documented.ts'
import {
  get,
  getSet,
  on,
  patch,
  put,
  replace,
  SERVER,
  zonePath,
  type Backend,
  type Scenario,
  type Step,
} from './scenario.ts'
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

void t.test('JSON has the spaces and order that shell scripts look for', async (t) => {
  const zone = 'spelling.test'
  const steps = [
    get(SERVER),
    patch(zone, {
      ...replace(`x.${zone}.`, 'TXT', on('"a, \\"b\\": c"')),
      comments: [{ content: 'text', account: '', modified_at: 1 }],
    }),
    get(zonePath(zone, '?rrsets=false')),
    getSet(zone, `x.${zone}.`, 'TXT'),
    get(`${SERVER}/zones?zone=${zone}.&dnssec=false`),
    patch(zone, { ...replace(`x.${zone}.`, 'A', on('192.0.2.1')), changetype: 'NOPE' }),
    get(`${SERVER}/search-data?q=x.${zone}&max=5&object_type=record`),
    put(zonePath(zone, '/notify')),
  ]
  const scenario: Scenario = { name: 'spelling', source: '', steps: () => steps }
  const [real, ours] = await Promise.all([
    play(reference, scenario, zone),
    play(service.at.powerdns, scenario, zone),
  ])
  for (const [i, step] of steps.entries())
    t.equal(spellingOf(ours[i]?.text ?? ''), spellingOf(real[i]?.text ?? ''), titleOf(step))
  // What acme.sh before 3.0 takes apart.
  t.match(ours[3]?.text, /"name": "x\.spelling\.test\.", "records": \[\{"content": "/)
})

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
