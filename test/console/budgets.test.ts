// Runs last: holds times to bounds.
import { execFile } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import t from 'tap'
import { openConsole, settled, startBrowser } from './browser.ts'
import { holds, slowDown, startCosts } from './costs.ts'
import { viewPaths } from './paths.ts'
import { addLargeZone, addManual, seed } from './seed.ts'
import { DIST, startConsole } from './service.ts'
import { cell, grid, openRecords } from './steps.ts'

/*
 * What the console may cost: bytes that are loaded, and the processor time of the page's thread with 10,000 records, by the
 * pace of the machine.
 */
t.setTimeout(540_000)
const KB = 1000
const SIGN_IN_KB = 140
const EDITOR_KB = 240
const VIEW_KB = 50
/** The settings of a domain are ten cards on one page, the review among them. */
const SETTINGS_KB = 55
const MB = 1024 * 1024

const service = await startConsole(t)
const { ids } = await seed(service)
const browser = await startBrowser(t)
const costs = await startCosts(browser)

/** Bytes of a file as it goes over the wire to a browser that reads gzip. */
function sizeOf(file: string): number {
  const compressed = statSync(`${file}.gz`, { throwIfNoEntry: false })
  return compressed?.size ?? statSync(file).size
}

/** The parts that the page has loaded since the last call, with those that were known. */
function followParts(page: Page) {
  const parts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/assets\/.*\.(js|css)$/.test(pathname)) parts.add(pathname)
  })
  return parts
}
const bytesOf = (parts: Iterable<string>) =>
  [...parts].reduce((sum, part) => sum + sizeOf(path.join(DIST, part)), 0)

void t.test('bytes loaded', async (t) => {
  const outside = await openConsole(browser, service.origin)
  const first = followParts(outside.page)
  await outside.page.goto('/sign-in')
  await settled(outside.page)
  holds(t, 'the sign-in page', bytesOf(first) / KB, SIGN_IN_KB, 'kB')
  const own = new Set(first)
  const [frame] = await Promise.all([
    outside.page.waitForRequest(/\/assets\/frame-.*\.js$/),
    outside.page.getByLabel('Username').press('r'),
  ])
  t.notOk(
    own.has(new URL(frame.url()).pathname),
    'what is behind sign-in comes as somebody types, and not before',
  )
  await outside.context.close()

  const inside = await openConsole(browser, service.origin, { user: 'root' })
  const editor = followParts(inside.page)
  for (const page of ['/', `/domains/${ids['domains']}/records`]) {
    await inside.page.goto(page)
    await settled(inside.page)
  }
  const known = new Set([...first, ...editor])
  holds(t, 'all up to the record editor', bytesOf(known) / KB, EDITOR_KB, 'kB')
  for (const view of viewPaths()) {
    editor.clear()
    await inside.page.goto(view.replace('$id', ids[view.split('/')[1] ?? ''] ?? ''))
    await settled(inside.page)
    const limit = view === '/domains/$id/settings' ? SETTINGS_KB : VIEW_KB
    holds(t, `${view} more`, bytesOf([...editor].filter((part) => !known.has(part))) / KB, limit, 'kB')
  }
  await inside.context.close()
  const all = globSync(`${DIST}**/*.{js,css,html,svg,woff2}`)
  holds(
    t,
    'all files',
    all.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0) / KB,
    900,
    'kB',
  )
})

/** Scrolls the records by as many steps, a frame each. */
const SCROLL = (steps: number) => `new Promise((done) => {
  const grid = document.querySelector('[role=grid] [role=rowgroup]').parentElement
  const step = (left) => {
    grid.scrollTop += 240
    if (left > 0) requestAnimationFrame(() => step(left - 1))
    else done()
  }
  requestAnimationFrame(() => step(${steps}))
})`
const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

void t.test('10,000 records', async (t) => {
  const config = await addManual(service.admin)
  const id = await addLargeZone(service.admin, config, 'large.example')
  const { page, context } = await openConsole(browser, service.origin, { user: 'root' })
  await page.goto('/domains')
  await settled(page)
  const whole = page.getByText('10,000 records shown')

  const load = await costs.of(page, async () => {
    await openRecords(page, id)
    await whole.waitFor({ state: 'attached' })
    await settled(page)
  })
  holds(t, 'loaded and drawn', load, 500, 'ms')
  t.ok((await grid(page).getByRole('row').count()) < 100, 'rows that are seen are drawn, and no others')
  t.equal(await grid(page).getAttribute('aria-rowcount'), '10001', 'all can be found')

  const steps = 30
  const scroll = await costs.least(page, () => page.evaluate(SCROLL(steps)))
  holds(t, 'a step of scrolling', scroll / steps, 8, 'ms')

  const filter = page.getByRole('searchbox')
  await filter.focus()
  const typed = 'host-77'
  const filtering = await costs.of(page, async () => {
    for (const key of typed) {
      await page.keyboard.press(key)
      await page.evaluate(FRAMES)
    }
  })
  holds(t, 'a key in the filter', filtering / typed.length, 40, 'ms')
  await page.getByText('111 records shown').waitFor({ state: 'attached' })
  await filter.fill('')
  await whole.waitFor({ state: 'attached' })

  await page.evaluate(`document.querySelector('[role=grid] [role=rowgroup]').parentElement.scrollTop = 0`)
  await cell(page, 'host-0').click()
  const presses = 20
  const frames = async (key?: string) => {
    for (let nth = 0; nth < presses; nth++) {
      if (key !== undefined) await page.keyboard.press(key)
      await page.evaluate(FRAMES)
    }
  }
  // Less what the two frames cost when nothing happens.
  const idle = await costs.least(page, () => frames())
  const arrows = await costs.least(page, () => frames('ArrowDown'))
  holds(t, 'an arrow key', (arrows - idle) / presses, 8, 'ms')

  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const edits = 5
  const editing = await costs.least(page, async () => {
    for (let nth = 0; nth < edits; nth++) {
      await page.keyboard.press('F2')
      await page.keyboard.press('End')
      await page.keyboard.type('9')
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.evaluate(FRAMES)
    }
  })
  holds(t, 'an edit in a cell, of five keys', editing / edits, 40, 'ms')
  await context.close()
})

/** How long each key and click took until it was painted, in steps of 8 ms. */
const FOLLOW_INTERACTIONS = `
  window.slowest = 0
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId) window.slowest = Math.max(window.slowest, duration)
  }).observe({ type: 'event', durationThreshold: 16 })
`

void t.test('any interaction with 10,000 records is painted within 100 ms', async (t) => {
  const { body } = await service.admin.get('/api/domains?search=large')
  const { page, context } = await openConsole(browser, service.origin, { user: 'root' })
  await context.addInitScript(FOLLOW_INTERACTIONS)
  await openRecords(page, body.domains[0].id as string)
  await page.getByText('10,000 records shown').waitFor({ state: 'attached' })
  await settled(page)
  const sort = (by: string) => () => grid(page).getByRole('button', { name: by }).click()
  const press = (key: string) => () => page.keyboard.press(key)
  const interactions: [string, () => Promise<unknown>][] = [
    ['sorted by value', sort('Value')],
    ['sorted by name', sort('Name')],
    ['a cell reached', () => cell(page, 'host-1').click()],
    ['all chosen', press('Control+a')],
    ['one left out', press('Space')],
    ['a page down', press('PageDown')],
    ['the end', press('Control+End')],
    ['a menu', press('Shift+F10')],
    ['the menu closed', press('Escape')],
    ['an edit begun', press('F2')],
    ['the edit ended', press('Escape')],
  ]
  // Another process may have had the processor: what holds once is not the page's fault another time.
  const least = new Map<string, number>()
  for (let nth = 0; nth < 3; nth++) {
    const slowness = await costs.slowness()
    for (const [what, interact] of interactions) {
      await page.evaluate('window.slowest = 0')
      await interact()
      await page.evaluate(FRAMES)
      await page.evaluate(FRAMES)
      const slowest = (await page.evaluate<number>('window.slowest')) / slowness
      least.set(what, Math.min(slowest, least.get(what) ?? slowest))
    }
    await cell(page, 'host-9999').click()
    await press('Control+Home')()
  }
  for (const [what, duration] of least) holds(t, `${what}, painted`, duration, 100, 'ms')
  await context.close()
})

/** When the field of the user name was there and painted, by the page's own clock. */
const FOLLOW_FIELD = `
  window.usable = new Promise((done) => {
    const watch = () => {
      if (document.querySelector('input[name=username]') === null) return requestAnimationFrame(watch)
      requestAnimationFrame(() => done(performance.now()))
    }
    requestAnimationFrame(watch)
  })
`

void t.test('the sign-in page loads quickly on a slow network and processor', async (t) => {
  let least = Infinity
  // Unlike processor time this is slowed by whatever else waits for the processor: once it has to hold.
  for (let nth = 0; nth < 8 && least > 2500; nth++) {
    const { page, context } = await openConsole(browser, service.origin)
    await context.addInitScript(FOLLOW_FIELD)
    await slowDown(page, await costs.slowness())
    await page.goto('/sign-in')
    least = Math.min(least, await page.evaluate<number>('window.usable'))
    await context.close()
  }
  holds(t, 'usable', least / 1000, 2.5, 's')
})

void t.test('memory does not grow with visits', async (t) => {
  const { body } = await service.admin.get('/api/domains?search=large')
  const id = body.domains[0].id as string
  const { page, context } = await openConsole(browser, service.origin, { user: 'root' })
  const cdp = await context.newCDPSession(page)
  const visit = async () => {
    await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
    await page.getByRole('link', { name: 'large.example' }).click()
    await page.getByText('10,000 records shown').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Access requests', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Access requests', exact: true }).waitFor()
  }
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    return usedSize / MB
  }
  await page.goto(`/domains/${id}/settings`)
  await settled(page)
  for (let nth = 0; nth < 3; nth++) await visit()
  const first = await heap()
  holds(t, 'after three visits', first, 40, 'MB')
  for (let nth = 0; nth < 7; nth++) await visit()
  holds(t, 'after ten, as a share of that', (await heap()) / first, 1.1, '')
  await context.close()
})

const BUILD = fileURLToPath(new URL('../../scripts/console/build-console.ts', import.meta.url))

void t.test('the console builds quickly', async (t) => {
  const code = `process.argv[2] = ${JSON.stringify(t.testdir())}
    await import(${JSON.stringify(BUILD)})
    const { user, system } = process.cpuUsage()
    console.log((user + system) / 1e6)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  holds(t, 'processor time of the build', Number(stdout), 10, 's')
})
