import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

/* The tables of docs/security.md say what holds, where, and which test shows it. */
const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const exists = (file: string) => existsSync(new URL(file, root))

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string)

const rows = read('docs/security.md')
  .split('\n')
  .filter((line) => /^\| \d+ /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, number, requirement = '', how = '', where, tests]) => ({
    number: Number(number),
    requirement,
    how,
    where: quoted(where),
    tests: quoted(tests),
  }))

/** The numbers that names of tests in a file begin with: "59, 60. what is shown". */
const numbersIn = (file: string) =>
  new Set([...read(file).matchAll(/['"`]((?:\d+[.,] )+)/g)].flatMap((match) => match[1]?.match(/\d+/g) ?? []))

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

void t.test('every requirement has its row, in order', async (t) => {
  const groups = [range(1, 106)]
  t.same(
    rows.map(({ number }) => number),
    groups.flat(),
  )
})

void t.test('every row says what, how and where', async (t) => {
  for (const { number, requirement, how, where } of rows) {
    t.ok(requirement && how, String(number))
    t.ok(where.length > 0 && where.every(exists), `${number}: ${where.join(', ')}`)
  }
})

void t.test('every row names tests that carry its number', async (t) => {
  for (const { number, tests } of rows) {
    t.ok(tests.length > 0, String(number))
    for (const name of tests) {
      const file = `test/${name}`
      t.ok(exists(file) && numbersIn(file).has(String(number)), `${number}: ${name}`)
    }
  }
})
