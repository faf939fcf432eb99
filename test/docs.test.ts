import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { MAX_BULK, MAX_CHANGES } from '../modules/records/schemas.ts'
import { LOOKUP_LIMIT, SIGN_IN_LIMIT, UPSTREAM_LIMIT } from '../plugins/rate-limit.ts'

/* What is written for people must not fall behind the code. */
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

void t.test('every variable is described', async (t) => {
  const config = read('config.ts')
  const variables = names(config.slice(config.indexOf('const SCHEMA')), /^ {4}([A-Z_]+): /gm).sort()
  t.ok(variables.length >= 17)
  t.same(names(read('README.md'), /^\| `([A-Z_]+)` /gm).sort(), variables, 'in the table of the README')
  t.same(names(read('.env.example'), /^#?([A-Z_]+)=/gm).sort(), variables, 'in .env.example')
})

void t.test('the limits are those of the code', async (t) => {
  const readme = read('README.md')
  const row = (what: string) => readme.split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  t.match(row('Signing in'), `${SIGN_IN_LIMIT.max} a minute`)
  t.match(row('What makes a DNS server work'), `${UPSTREAM_LIMIT.max} a minute`)
  t.match(row('Looking expiry dates up'), `${LOOKUP_LIMIT.max} a minute`)
  t.match(row('Records in one bulk call'), ` ${MAX_BULK} `)
  t.match(row('Changes in one plan'), ` ${MAX_CHANGES.toLocaleString('en')} `)
})

void t.test('links lead somewhere', async (t) => {
  for (const file of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')]) {
    for (const link of names(read(file), /\]\(([^)]+)\)/g)) {
      const [target = '', anchor] = link.split('#')
      if (target.includes('://')) continue
      const document = target === '' ? file : path.join(path.dirname(file), target)
      t.ok(existsSync(document), `${file}: ${link}`)
      if (anchor === undefined) continue
      const headings = names(read(document), /^#+ (.*)$/gm)
      const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'))
      t.ok(anchors.includes(anchor), `${file}: #${anchor}`)
    }
  }
})
