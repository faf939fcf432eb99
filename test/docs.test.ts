import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { SECRET_SETTINGS } from '../config.ts'
import { MAX_CHANGES } from '../modules/records/apply/schemas.ts'
import { MAX_BULK } from '../modules/records/apply/schemas.ts'
import { PROVIDERS } from '../modules/providers/registry.ts'
import { providerPage } from '../scripts/provider-table.ts'
import { LOOKUP_LIMIT, SIGN_IN_LIMIT, UPSTREAM_LIMIT } from '../plugins/security/rate-limit/rate-limit.ts'

/* What is written for people must not fall behind the code. */
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

const config = read('config.ts')
const variables = names(config.slice(config.indexOf('const SCHEMA')), /^ {4}([A-Z_]+): /gm).sort()

void t.test('every variable is described', async (t) => {
  t.ok(variables.length >= 17)
  t.same(names(read('docs/configuration.md'), /^\| `([A-Z_]+)` /gm).sort(), variables, 'in the table')
  t.same(names(read('.env.example'), /^#?([A-Z_]+)=/gm).sort(), variables, 'in .env.example')
})

void t.test('the compose file passes every variable', async (t) => {
  const service = /^ {2}zonekeeper:\n((?: {4}.*\n|\n)+)/m.exec(read('deploy/compose/compose.yaml'))?.[1] ?? ''
  const passed = names(service, /^ {6}([A-Z_]+): .*\$\{\1\b/gm).filter((name) => !name.endsWith('_FILE'))
  const fromFiles = names(service, /^ {6}([A-Z_]+)_FILE: \/run\/secrets\//gm)
  const ofImage = names(/^ENV .*$/m.exec(read('Dockerfile'))?.[0] ?? '', /\b([A-Z_]+)=/g)
  const known = [...passed, ...fromFiles, ...ofImage.filter((name) => name !== 'NODE_ENV')]
  t.same([...known].sort(), variables)
  // DATABASE_URL has no password there: DATABASE_PASSWORD_FILE has it.
  for (const setting of SECRET_SETTINGS.filter((name) => name !== 'DATABASE_URL')) {
    t.match(service, new RegExp(`^ {6}${setting}_FILE: `, 'm'), `${setting} can come from a file`)
    t.match(read('docs/configuration.md'), `\`${setting}\``)
    t.match(read('.env.example'), `${setting}_FILE`)
  }
})

void t.test(
  'containers have a read-only root, no capabilities but named ones, and no secrets in .env',
  async (t) => {
    const { services, secrets } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
      services: Record<string, Record<string, unknown>>
      secrets: Record<string, { file: string }>
    }
    t.same(Object.keys(services), ['zonekeeper', 'postgres', 'powerdns', 'proxy'])
    for (const [name, service] of Object.entries(services)) {
      const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
      t.match(service, hardened, name)
      const {
        image,
        build,
        secrets: used = [],
      } = service as { image?: string; build?: object; secrets?: string[] }
      t.match(image ?? JSON.stringify(build), /\$\{[A-Z]+_IMAGE:-/, `the image of ${name} can be pinned`)
      for (const secret of used) t.equal(secrets[secret]?.file, `./secrets/${secret}`)
    }
    t.notOk(services['zonekeeper']?.['cap_add'])
    t.match(read('.gitignore'), /^\/deploy\/compose\/secrets\/$/m)
    t.match(read('Dockerfile'), /^USER node$/m)
    t.notMatch(read('Dockerfile'), /^FROM node/m)
  },
)

void t.test('the README begins with what starts the service and what tests it', async (t) => {
  const beginning = read('README.md').split('\n## ')[0] ?? ''
  const commands = names(beginning, /^```sh\n([^]*?)\n```$/gm)
  t.same(commands, ['npm ci && npm start', 'npm ci && npm test'])
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  t.match(scripts, { start: /^exec node (--\S+ )*server\.js$/, test: / node scripts\/test\.ts$/ })
})

void t.test('the version is the newest of the changelog', async (t) => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  t.equal(version, names(read('CHANGELOG.md'), /^## \[(\d[^\]]*)\]/gm)[0])
})

void t.test('the limits are those of the code', async (t) => {
  const page = read('docs/limits.md')
  const row = (what: string) => page.split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  t.match(row('Sign-in with password'), `${SIGN_IN_LIMIT.max} per minute`)
  t.match(row('Requests that call a DNS provider'), `${UPSTREAM_LIMIT.max} per minute`)
  t.match(row('Expiry look-ups'), `${LOOKUP_LIMIT.max} per minute`)
  t.match(row('Records in one bulk call'), ` ${MAX_BULK} `)
  t.match(row('Changes in one plan'), ` ${MAX_CHANGES.toLocaleString('en')} `)
})

void t.test('what each DNS provider can is what the code says', async (t) => {
  const { is, shouldBe } = providerPage()
  t.equal(is, shouldBe, 'npm run provider-table makes it so')
  t.match(is, /^\| PowerDNS .* all but /m)
})

void t.test('each kind of DNS provider has a page, which the list leads to', async (t) => {
  const listed = names(read('docs/dns-providers.md'), /^\| \[`(\w+)`\]\(providers\/\1\.md\)/gm)
  const kinds = PROVIDERS.map(({ key }) => key).filter((key) => key !== 'manual')
  t.same(listed.sort(), kinds.sort())
  t.same(globSync('docs/providers/*.md').sort(), kinds.map((key) => `docs/providers/${key}.md`).sort())
})

void t.test('links lead somewhere', async (t) => {
  for (const file of ['README.md', 'CONTRIBUTING.md', ...globSync('{docs,deploy,integrations}/**/*.md')]) {
    for (const link of names(read(file), /\]\(([^)]+)\)/g)) {
      const [target = '', anchor] = link.split('#')
      if (target.includes('://')) continue
      const document = target === '' ? file : path.join(path.dirname(file), target)
      t.ok(existsSync(document), `${file}: ${link}`)
      if (anchor === undefined) continue
      const headings = names(read(document), /^#+ (.*)$/gm)
      // As GitHub makes them.
      const anchors = headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      )
      t.ok(anchors.includes(anchor), `${file}: #${anchor}`)
    }
  }
})
