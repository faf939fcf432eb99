import { bulk } from './bulk.ts'
import { create } from './create.ts'
import { expiry } from './expiry.ts'
import { health } from './health.ts'
import { importing } from './import.ts'
import { lists } from './lists.ts'
import { openApi } from './open-api.ts'
import { outbox } from './outbox.ts'
import { powerDnsApi } from './powerdns-api.ts'
import { providers } from './providers.ts'
import { programs } from './programs.ts'
import { store, toMarkdown, type Result } from './report.ts'
import { retention } from './retention.ts'
import { scale } from './scale.ts'
import { search } from './search.ts'
import { signInLoad } from './sign-in.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'
import { sync } from './sync.ts'
import { upgrade } from './upgrade.ts'

/**
 * Measures, and writes the tables of docs/benchmarks.md.
 *
 *   npm run bench              all, in about ten minutes
 *   npm run bench -- lists     some
 */
const BENCHMARKS: Record<string, () => Promise<Result>> = {
  start,
  'sign-in': signInLoad,
  create,
  bulk,
  sync,
  import: importing,
  providers,
  lists,
  'open-api': openApi,
  scale,
  streams,
  outbox,
  expiry,
  health,
  programs,
  'powerdns-api': powerDnsApi,
  search,
  upgrade,
  retention,
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in BENCHMARKS))
if (unknown !== undefined)
  throw new Error(`Unknown benchmark ${unknown}; choose from ${Object.keys(BENCHMARKS).join(', ')}`)

for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const begun = performance.now()
  const result = await measure()
  store(name, result)
  console.log(toMarkdown(result))
  console.log(`${name}: ${Math.round((performance.now() - begun) / 1000)} s\n`)
}
