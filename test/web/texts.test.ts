import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import t from 'tap'
import { EVERYWHERE } from '../../web/messages/everywhere.ts'

const WEB = fileURLToPath(new URL('../../web/', import.meta.url))

const wordsOf = (list: string): string[] => [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)

/** The areas of texts that a file and all that it imports name, without what is loaded later. */
function areasOf(file: string, seen = new Set<string>()): Set<string> {
  const areas = new Set<string>()
  if (seen.has(file)) return areas
  seen.add(file)
  const code = readFileSync(file, 'utf8')
  for (const [, list = ''] of code.matchAll(/\buseMessages\(([^)]*)\)/g)) {
    for (const area of wordsOf(list)) areas.add(area)
  }
  for (const [, found = ''] of code.matchAll(/^(?:import|export|\}) (?!type )[^;'\n]*'(\.[^']+\.tsx?)'/gm)) {
    if (found.includes('/messages/')) continue
    for (const area of areasOf(path.resolve(path.dirname(file), found), seen)) areas.add(area)
  }
  return areas
}

const sorted = (areas: Iterable<string>) => [...areas].toSorted((a, b) => a.localeCompare(b)).join(' ')

void t.test('lazy parts load their messages', async (t) => {
  let count = 0
  for (const name of globSync('{*,{ui,views}/**/*}.{ts,tsx}', { cwd: WEB })) {
    const file = path.join(WEB, name)
    const code = readFileSync(file, 'utf8')
    for (const [, view = '', list = ''] of code.matchAll(
      /\bimport\('(\.[^']+)'\),\s*'\w+',\s*\[([^\]]*)\]/g,
    )) {
      const needed = areasOf(path.resolve(path.dirname(file), view))
      for (const area of EVERYWHERE) needed.delete(area)
      t.equal(sorted(wordsOf(list)), sorted(needed), `${name} loads ${view} with its texts, and no others`)
      count++
    }
  }
  t.ok(count > 30, `${count} are found`)
})

void t.test('the first page uses only common messages', async (t) => {
  t.strictSame(
    [...areasOf(path.join(WEB, 'main.tsx'))].filter((area) => !EVERYWHERE.some((known) => known === area)),
    [],
  )
})
