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
  const groups = [range(1, 110)]
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

/** The requirements of levels 1 and 2 of OWASP ASVS 5.0, by section. */
const ASVS: Record<string, number[]> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '3.2': [1, 2],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '3.7': [1, 2],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '6.3': [1, 2, 3],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
  '17.1': [1],
  '17.2': [1, 2, 3, 4],
  '17.3': [1, 2],
}

void t.test(
  'each requirement of ASVS 5.0 is met, departed from with a reason, or does not apply',
  async (t) => {
    const told = read('docs/security-asvs.md')
      .split('\n')
      .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    t.same(
      told.map(([, number]) => number),
      Object.entries(ASVS).flatMap(([section, numbers]) => numbers.map((number) => `${section}.${number}`)),
    )
    const known = new Set(rows.map(({ number }) => number))
    for (const [, number = '', level, requirement, state, how = ''] of told) {
      t.match(level, /^[12]$/, number)
      t.ok(requirement, number)
      t.match(state, /^(met|departs|n\/a)$/, number)
      if (state !== 'met') t.ok(how, `${number} says why`)
      // "70–75" and "42, 49" are rows of docs/security.md.
      if (/^\d+([,–] ?\d+)*$/.test(how)) {
        for (const row of how.match(/\d+/g) ?? []) t.ok(known.has(Number(row)), `${number}: row ${row}`)
      }
    }
  },
)
