// Runs first: takes long for its size.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openConsole, settled, startBrowser, type Watched } from './browser.ts'
import { fixedPartOf, listenForData } from './fixed.ts'
import { buildMadeUp, MADE_UP_DATES, madeUp } from './made-up.ts'
import { viewPaths } from './paths.ts'
import { seed } from './seed.ts'
import { startConsole } from './service.ts'
import { textsOf, tightBoxesOf } from './tight.ts'

/*
 * Every view, and the dialogs of the record editor and of rights, in a made-up language with accents that is 40 % longer than
 * English: no text is fixed, none is cut or spills out of its box, no controls overlap, at 1280 and at 360 pixels.
 */
t.setTimeout(240_000)

const service = await startConsole(t, { consoleDist: await buildMadeUp(t) })
const { ids } = await seed(service)
const browser = await startBrowser(t)

/** Seen by who is not signed in. */
const OUTSIDE = new Set(['/sign-in', '/register', '/reset-password', '/confirm-email', '/auth/callback'])
const WIDTHS = [1280, 360]
const addressOf = (path: string) => path.replace('$id', ids[path.split('/')[1] ?? ''] ?? '')

interface Heard extends Watched {
  data: () => Promise<Set<string>>
}

async function open(user?: string): Promise<Heard> {
  const watched = await openConsole(browser, service.origin, user === undefined ? {} : { user })
  await watched.context.addInitScript(MADE_UP_DATES)
  return { ...watched, data: listenForData(watched.page) }
}

/** The page as it stands has no fixed text and no tight box, in all widths. */
async function isRoomy(t: Test, { page, seen, data }: Heard, what: string): Promise<void> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 860 })
    await settled(page)
    const known = await data()
    for (const { text, at } of await textsOf(page)) {
      const fixed = fixedPartOf(text, known, at)
      if (fixed !== null) faults.push(`${width}: fixed: "${text}" in ${at}`)
    }
    faults.push(...(await tightBoxesOf(page)).map((fault) => `${width}: ${fault}`))
  }
  t.same([...faults, ...seen.splice(0)], [], what)
}

const button = (page: Page, name: string) => page.getByRole('button', { name: madeUp(name), exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name: madeUp(name), exact: true })

const [inside, outside] = await Promise.all([open('root'), open()])

void t.test('views', async (t) => {
  for (const path of viewPaths()) {
    const watched = OUTSIDE.has(path) ? outside : inside
    await watched.page.goto(addressOf(path))
    await isRoomy(t, watched, path)
  }
})

void t.test('dialogs', async (t) => {
  const { page } = inside
  await page.goto(addressOf('/domains/$id/records'))
  await button(page, 'Add record').click()
  await dialog(page, 'New record').waitFor()
  await isRoomy(t, inside, 'a record')
  await page.keyboard.press('Escape')
  await button(page, 'Add multiple').click()
  const lines = dialog(page, 'Add multiple records')
  await lines.getByRole('textbox').fill('www 300 IN CNAME www.example.net.\nshop 300 IN A 192.0.2.44')
  await lines.getByRole('button', { name: madeUp('Add # records to changes').replace('#', '2') }).waitFor()
  await isRoomy(t, inside, 'many records')
  await lines.getByRole('button', { name: madeUp('Add # records to changes').replace('#', '2') }).click()
  await lines.waitFor({ state: 'detached' })
  await isRoomy(t, inside, 'changes that are not applied')
  await button(page, 'Review').click()
  await dialog(page, 'Review changes')
    .getByRole('button', { name: madeUp('Leave out') })
    .first()
    .waitFor()
  await isRoomy(t, inside, 'a plan')
  await page.goto(addressOf('/domains/$id/access'))
  await button(page, 'Grant access').first().click()
  await isRoomy(t, inside, 'a right')
})
