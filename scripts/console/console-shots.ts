import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openConsole, settled, startBrowser } from '../../test/console/browser.ts'
import { viewPaths } from '../../test/console/paths.ts'
import { buildConsoleIfOld } from './console-build.ts'
import { galleryOf, type Picture } from '../shots/gallery.ts'
import { takeForReadme } from '../shots/readme.ts'
import { stepOf, type Shot } from '../shots/shot.ts'
import { STATES } from '../shots/states.ts'
import { WORDS } from '../shots/words.ts'
import { startWorld, type World } from '../shots/world.ts'

/**
 * Takes pictures of every view of the console and its states, in light and dark, English and Chinese, wide and narrow, from the
 * real service with a made-up company in it, and writes one page with all of them.
 *
 *   npm run console:shots                       into ./console-shots
 *   npm run console:shots -- records history    only these views, by part of their path
 *   npm run console:shots -- --language en --width narrow --theme dark
 *   npm run console:shots -- --readme           the pictures of README.md, into docs/pictures
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    readme: { type: 'boolean', default: false },
    out: { type: 'string', default: 'console-shots' },
    language: { type: 'string' },
    width: { type: 'string' },
    theme: { type: 'string' },
  },
})

const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 360, height: 760 } }
const SCHEMES = ['light', 'dark'] as const
/** Maximum height of a picture. */
const LONGEST = 3200
/** Views for visitors who are not signed in. */
const OUTSIDE = new Set(['/sign-in', '/register', '/reset-password', '/confirm-email', '/auth/callback'])

const ends: (() => unknown)[] = []
try {
  await buildConsoleIfOld()
  const world = await startWorld()
  ends.push(() => world.stop())
  const browser = await startBrowser({ teardown: (end) => ends.push(end) })
  if (values.readme) await takeForReadme(world, browser, 'docs/pictures')
  else await takeAll(world, browser)
} finally {
  for (const end of ends.toReversed()) await end()
}

async function takeAll(world: World, browser: Browser): Promise<void> {
  const { out } = values
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const shots = shotsOf(viewPaths()).filter(
    ({ view }) => positionals.length === 0 || positionals.some((part) => view.includes(part)),
  )
  const languages = Object.keys(WORDS).filter((name) => (values.language ?? name) === name)
  const pictures: Picture[] = []
  const failures: string[] = []
  for (const language of languages) {
    for (const size of (['wide', 'narrow'] as const).filter((name) => (values.width ?? name) === name)) {
      for (const [at, shot] of shots.entries()) {
        if (shot.only !== undefined && shot.only !== size) continue
        try {
          pictures.push(...(await take(world, browser, shot, { at, language, size, out })))
        } catch (error) {
          failures.push(`${language} ${size} ${shot.view} (${shot.state}): ${(error as Error).message}`)
        }
      }
    }
  }
  writeFileSync(path.join(out, 'index.html'), galleryOf(pictures))
  console.log(`${pictures.length} pictures in ${path.join(out, 'index.html')}`)
  for (const failure of failures) console.error(`FAILED ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}

/** Returns each view as it opens, followed by its states. */
function shotsOf(views: readonly string[]): Shot[] {
  const unknown = STATES.filter(({ view }) => !views.includes(view))
  if (unknown.length > 0) throw new Error(`No such view: ${unknown.map(({ view }) => view).join(', ')}`)
  return views.flatMap((view) => [usual(view), ...STATES.filter((shot) => shot.view === view)])
}

function usual(view: string): Shot {
  return { view, state: '', ...(OUTSIDE.has(view) && { user: null }) }
}

interface How {
  at: number
  language: string
  size: 'wide' | 'narrow'
  out: string
}

async function take(world: World, browser: Browser, shot: Shot, how: How): Promise<Picture[]> {
  const { at, language, size, out } = how
  const { locale, m } = WORDS[language] as (typeof WORDS)[string]
  const { page, context } = await pageOf(world, browser, shot.user, locale, SIZES[size])
  try {
    await page.goto(addressOf(shot, world.ids))
    await settled(page)
    await shot.act?.(stepOf(page, m, size === 'narrow'))
    if (shot.isBusy !== true) await settled(page)
    const pictures: Picture[] = []
    for (const scheme of SCHEMES.filter((name) => (values.theme ?? name) === name)) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      if (shot.isWindow !== true) await grow(page, SIZES[size])
      const file = `${String(at).padStart(3, '0')}-${language}-${size}-${scheme}.png`
      await page.screenshot({ path: path.join(out, file), caret: 'initial' })
      pictures.push({ file, view: shot.view, state: shot.state, language, size, scheme })
    }
    return pictures
  } finally {
    await context.close()
  }
}

function addressOf({ view, address }: Shot, ids: World['ids']): string {
  if (address) return address(ids)
  return view.replace('$id', (ids as Record<string, string>)[view.split('/')[1] ?? ''] ?? '')
}

async function pageOf(
  { origin }: World,
  browser: Browser,
  user: string | null = 'mara',
  locale: string,
  viewport: { width: number; height: number },
): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openConsole(browser, origin, {
    locale,
    viewport,
    timezoneId: 'Europe/Berlin',
    ...(user !== null && { user }),
  })
  page.setDefaultTimeout(8_000)
  return { page, context }
}

/** Makes the window as tall as the page, so that a fixed footer is at the bottom of the picture. */
async function grow(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const needed = await page.evaluate('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(LONGEST, Math.max(height, Number(needed))) })
}
