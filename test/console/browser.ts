import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { PASSWORD } from '../helpers/app.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** Debian's Chromium, one for a file; it ends with the test. `hidesBars`: scrollbars take no room, as on telephones. */
export async function startBrowser(t: Owner, { hidesBars = true } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Its sandbox needs a user that is not root; it opens nothing but our own pages.
    args: ['--no-sandbox', '--headless=new'],
    ...(!hidesBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
  })
  t.teardown(() => browser.close())
  return browser
}

/** What a page did that it must not do, as it happens. */
export interface Watched {
  page: Page
  context: BrowserContext
  /** Errors on its console, requests to other origins, what its policy refused; taken by `faultsOf`. */
  seen: string[]
}

interface OpenOptions extends BrowserContextOptions {
  /** Signs in by the API, as somebody who was here before. */
  user?: string
  /** What the browser remembers of the looks (web/api/settings.ts). */
  settings?: object
}

/** Is there before the first script of each page. */
const WATCH = `
  window.refused = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.refused.push(violatedDirective + ' ' + blockedURI + ' ' + sample))
`

/** A browser of somebody's own, on the first page of `origin`, or on `path`. */
export async function openConsole(
  browser: Browser,
  origin: string,
  { user, settings = {}, ...options }: OpenOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-US',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const remembered = JSON.stringify({ ...settings, hadSession: user !== undefined })
  await context.addInitScript(`
    ${WATCH}
    if (localStorage.getItem('zonekeeper') === null) localStorage.setItem('zonekeeper', ${JSON.stringify(remembered)})
  `)
  if (user !== undefined) {
    const data = { username: user, password: PASSWORD }
    const answer = await context.request.post(`${origin}/api/auth/login`, { data })
    if (!answer.ok()) throw new Error(`Sign-in of ${user}: ${answer.status()} ${await answer.text()}`)
  }
  const page = await context.newPage()
  const seen: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin)
      seen.push(`request to ${request.url()}`)
  })
  followRequests(page)
  return { page, context, seen }
}

const pending = new WeakMap<Page, Set<unknown>>()

function followRequests(page: Page): void {
  const open = new Set<unknown>()
  pending.set(page, open)
  page.on('request', (request) => {
    // The stream of events is always open.
    if (!request.url().endsWith('/api/notifications/stream')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('framenavigated', (frame) => frame === page.mainFrame() && open.clear())
}

const FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))'
/** No heading yet, the view that is left beside the new one, or bars of `Loading`. */
const UNFINISHED = `document.querySelectorAll('h1').length !== 1 || document.querySelector('[class*="skeleton"]') !== null`
const SETTLED_MS = 20_000

/** Until the page has its heading, asks for nothing more, and shows no bars where something will be. */
export async function settled(page: Page): Promise<void> {
  const end = performance.now() + SETTLED_MS
  for (let quiet = 0; quiet < 2;) {
    await page.evaluate(FRAME)
    const isBusy = (pending.get(page)?.size ?? 0) > 0 || (await page.evaluate(UNFINISHED)) === true
    quiet = isBusy ? 0 : quiet + 1
    if (performance.now() > end) throw new Error(`${page.url()} does not come to rest`)
  }
}

const worlds = new WeakMap<Page, ReturnType<typeof axeWorld>>()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Finding {
  id: string
  at: string[]
}

/** A world of axe-core beside that of the page, so that script-src and Trusted Types stay in force; for one address. */
async function axeWorld(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  page.once('framenavigated', () => {
    worlds.delete(page)
    // It may be gone with the page.
    void cdp.detach().catch(() => null)
  })
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await cdp.send('Runtime.evaluate', { expression: AXE, contextId })
  // What react-aria says to screen readers has said it, and may point to what is gone since.
  const expression = (
    within: string,
  ) => `axe.run({ include: [['${within}']], exclude: [['[data-live-announcer]']] }, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })
    .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html, any, all }) =>
      html.slice(0, 200) + ' ' + [...any, ...all].map(({ message }) => message).join('; ').slice(0, 200)) }))))`
  return {
    async run(within: string): Promise<Finding[]> {
      const how = { expression: expression(within), contextId, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', how)
      if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description}`)
      return JSON.parse(String(result.value)) as Finding[]
    },
  }
}

/** What is wrong with the width and the headings, by the page itself. */
const LAYOUT = `(() => {
  const faults = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push('scrolls sideways: ' + scrollWidth + ' > ' + clientWidth)
  const headings = document.querySelectorAll('h1').length
  if (headings !== 1) faults.push(headings + ' h1: ' + [...document.querySelectorAll('h1')].map((one) => one.textContent).join(' | '))
  if (document.title === '') faults.push('no title')
  return [...faults, ...window.refused.splice(0).map((what) => 'refused: ' + what)]
})()`

/** What axe and the layout are wrong with at this moment, in a part of the page. */
export async function looksOf(page: Page, within = 'html'): Promise<string[]> {
  const axe = worlds.get(page) ?? axeWorld(page)
  worlds.set(page, axe)
  const found = await (await axe).run(within)
  return [
    ...found.flatMap(({ id, at }) => at.map((html) => `axe ${id}: ${html}`)),
    ...(await page.evaluate<string[]>(LAYOUT)),
  ]
}

/** What is wrong with the page as it is shown now: nothing, as it should be. `looks` are tried one after another. */
export async function faultsOf(
  { page, seen }: Watched,
  looks: readonly { scheme: 'light' | 'dark'; width: number }[] = [],
): Promise<string[]> {
  const faults: string[] = []
  const look = async (where: string) => {
    await settled(page)
    faults.push(...(await looksOf(page)).map((fault) => `${where}${fault}`))
  }
  if (looks.length === 0) await look('')
  for (const { scheme, width } of looks) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 860 })
    await look(`${scheme} ${width}: `)
  }
  return [...faults, ...seen.splice(0)]
}
