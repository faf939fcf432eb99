import type { Test } from 'tap'
import { faultsOf, openConsole, settled, startBrowser, type Watched } from './browser.ts'
import { viewPaths } from './paths.ts'
import { seed } from './seed.ts'
import { startConsole } from './service.ts'

const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1280, 360].map((width) => ({ scheme, width })),
)
/** Seen by who is not signed in. */
const OUTSIDE = new Set(['/sign-in', '/register', '/reset-password', '/confirm-email', '/auth/callback'])

const placeOf = async ({ page }: Watched) => ({
  path: new URL(page.url()).pathname,
  heading: await page.getByRole('heading', { level: 1 }).allInnerTexts(),
})

/**
 * Every view that web/routes/ has, in light and dark, at 1280 and 360 pixels: axe finds nothing, nothing is refused by the
 * policy, asked of another origin, or complained of on the console; one heading, no scrolling sideways. `reloads`: a reload
 * shows the same page.
 */
export async function visitEveryView(t: Test, locale: string, { reloads }: { reloads: boolean }) {
  const service = await startConsole(t)
  const { ids } = await seed(service)
  const browser = await startBrowser(t)
  const paths = viewPaths()
  t.ok(paths.length > 25, `${paths.length} views`)

  /** With the id of what the seed made: `/domains/$id/records` of the domain. */
  const addressOf = (path: string) => {
    const id = ids[path.split('/')[1] ?? '']
    if (path.includes('$') && id === undefined) throw new Error(`The seed has nothing for ${path}`)
    return path.replace('$id', id ?? '')
  }

  const inside = await openConsole(browser, service.origin, { user: 'root', locale })
  const outside = await openConsole(browser, service.origin, { locale })
  for (const path of paths) {
    const watched = OUTSIDE.has(path) ? outside : inside
    const { page } = watched
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto(addressOf(path))
    const faults = await faultsOf(watched, LOOKS)
    t.same(faults, [], `${locale} ${path}`)
    t.equal(await page.locator('html').getAttribute('lang'), locale)
    if (!reloads) continue
    const before = await placeOf(watched)
    t.equal(before.path, addressOf(path), 'it is where it was asked for')
    await page.reload()
    await settled(page)
    t.same(await placeOf(watched), before, `${path}: a reload shows the same page`)
  }
  await inside.context.close()
  await outside.context.close()
}
