import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { looksOf, openConsole, settled, startBrowser, type Watched } from './browser.ts'
import { Interception, PROBLEMS } from './interception.ts'
import { viewPaths } from './paths.ts'
import { seed } from './seed.ts'
import { startConsole } from './service.ts'
import { CALLBACK, INSIDE, OUTSIDE, type StateCase } from './state-cases.ts'

/*
 * Every state of every view: loading, broken, away, unavailable, too often, forbidden, not there, empty, empty by the
 * filter, offline and back. In each there is a heading, words, and something that leads on; axe finds nothing. The browser
 * intercepts reads; nothing else is played.
 */
t.setTimeout(540_000)

const service = await startConsole(t)
const { ids } = await seed(service)
const browser = await startBrowser(t)
/** Pages at a time: they mostly wait. */
const AT_ONCE = 4
t.jobs = AT_ONCE
const NOBODY = '00000000-0000-7000-8000-000000000000'

t.strictSame(
  viewPaths().toSorted(),
  [...Object.keys(INSIDE), ...Object.keys(OUTSIDE), CALLBACK].toSorted(),
  'each view has a case here, and each case a view',
)

const addressOf = (path: string, id = ids[path.split('/')[1] ?? '']) => {
  if (path.includes('$') && id === undefined) throw new Error(`The seed has nothing for ${path}`)
  return path.replace('$id', id ?? '')
}

const main = (page: Page) => page.getByRole('main')
const alert = (page: Page, words: string) => main(page).getByRole('alert').filter({ hasText: words }).first()
const again = (page: Page) => main(page).getByRole('button', { name: 'Try again', exact: true })
const anything = (page: Page, name: string) =>
  (['button', 'link', 'searchbox', 'textbox'] as const)
    .map((role) => main(page).getByRole(role, { name }))
    .reduce((all, one) => all.or(one))
    .first()

/** What the browser itself says of an answer that is not 2xx, and of a fetch that fails. */
const NETWORK = /^console: Failed to load resource: /

/** The page as it is now has a heading and no fault. */
async function isWhole(t: Test, { page, seen }: Watched, state: string): Promise<void> {
  const faults = [...(await looksOf(page, 'main')), ...seen.splice(0).filter((line) => !NETWORK.test(line))]
  t.same(faults, [], state)
}

/** Presses each "Try again" that there is. */
async function tryAgain(page: Page): Promise<void> {
  await again(page).first().waitFor()
  // All of them in one step: what one of them reads again takes others away.
  await again(page).evaluateAll((buttons: unknown[]) => {
    for (const button of buttons as { click(): void }[]) button.click()
  })
}

async function failing(t: Test, watched: Watched, reads: Interception, address: string, its: StateCase) {
  const { page } = watched
  // What the view before still asks for is not of this one.
  await page.goto('/healthz')
  await reads.set({ kind: 'held' }, { newPage: true })
  await page.goto(address)
  // The bars of the start are not those of the view.
  await page.getByRole('button', { name: 'root' }).waitFor()
  await main(page).getByRole('status', { name: 'Loading' }).first().waitFor()
  await isWhole(t, watched, 'loading')

  await reads.set(PROBLEMS.broken)
  await alert(page, 'Internal error').waitFor()
  t.ok(await alert(page, 'req-1').isVisible(), 'the id to ask about')
  await isWhole(t, watched, 'broken')

  await reads.set(PROBLEMS.unavailable)
  await tryAgain(page)
  await alert(page, 'The database is away').waitFor()
  const times = [...reads.asked]
  t.ok(
    times.length > 0 && times.every(([, count]) => count === 3),
    `repeated twice: ${JSON.stringify(times)}`,
  )

  await reads.set(PROBLEMS.limited)
  await tryAgain(page)
  const early = { name: /^Try again in [12] s$/, disabled: true }
  await main(page).getByRole('button', early).first().waitFor()
  await isWhole(t, watched, 'too often')

  await reads.set({ kind: 'away' })
  await tryAgain(page)
  await alert(page, 'The service isn’t responding.').waitFor()

  await reads.set(PROBLEMS.forbidden)
  await tryAgain(page)
  const { says, leads } = its.forbidden ?? { says: 'Only owners may do this', leads: 'Request access' }
  await main(page).getByText(says).first().waitFor()
  t.ok(await anything(page, leads).isVisible(), `${leads} leads on`)
  await isWhole(t, watched, 'forbidden')
}

async function there(t: Test, watched: Watched, reads: Interception, address: string, its: StateCase) {
  const { page } = watched
  const { filtered, search = '' } = its
  await reads.set({ kind: 'as it is' })
  await page.goto(address + (filtered?.search ?? search))
  if (filtered) {
    await main(page).getByText(filtered.says).waitFor()
    await isWhole(t, watched, 'empty by the filter')
    await main(page)
      .getByRole('button', { name: filtered.leads ?? 'Clear filter', exact: true })
      .last()
      .click()
    await main(page).getByText(filtered.says).waitFor({ state: 'detached' })
    if (search !== '') await page.goto(address + search)
  }
  await settled(page)
  const before = await main(page).innerText()

  await page.context().setOffline(true)
  await alert(page, 'You’re offline').waitFor()
  await alert(page, 'Showing data from').waitFor()
  const now = (await main(page).innerText()).replace(/^.*You’re offline[^\n]*\n/s, '')
  t.ok(now.length > before.length / 2, 'what was there stays')
  const senders = await main(page).locator('button[type=submit]').all()
  for (const button of senders) t.ok(await button.isDisabled(), 'nothing can be sent')
  await isWhole(t, watched, 'offline')

  await reads.set({ kind: 'empty' })
  await page.context().setOffline(false)
  await alert(page, 'You’re offline').waitFor({ state: 'detached' })
  if (its.empty) {
    await main(page).getByText(its.empty.says).first().waitFor()
    t.ok(await anything(page, its.empty.leads).isVisible(), `${its.empty.leads} leads on`)
    await isWhole(t, watched, 'empty')
  }
}

async function missing(t: Test, watched: Watched, reads: Interception, path: string) {
  const { page } = watched
  await reads.set({ kind: 'as it is' })
  await page.goto(addressOf(path, NOBODY))
  await main(page).getByText('don’t have access to it.').waitFor()
  t.ok(await main(page).getByRole('link', { name: 'Go to dashboard' }).isVisible())
  await isWhole(t, watched, 'not there')
}

const rest = Object.entries(INSIDE)
for (let nth = 0; nth < AT_ONCE; nth++)
  void t.test(`inside, page ${nth}`, { buffered: true }, async (t) => {
    const watched = await openConsole(browser, service.origin, { user: 'root' })
    watched.page.setDefaultTimeout(15_000)
    const reads = await Interception.of(watched.page)
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [path, its] = next
      await t.test(path, async (t) => {
        await failing(t, watched, reads, addressOf(path) + (its.search ?? ''), its)
        await there(t, watched, reads, addressOf(path), its)
        if (path.includes('$')) await missing(t, watched, reads, path)
      })
      await watched.page.context().setOffline(false)
    }
    await watched.context.close()
  })

/* Those who are not signed in: the form stays with what was typed, and says what went wrong. */
void t.test('outside', { buffered: true }, async (t) => {
  const watched = await openConsole(browser, service.origin)
  const { page, context } = watched
  page.setDefaultTimeout(15_000)
  const reads = await Interception.of(page)
  let sent: 'away' | 'broken' | 'held' = 'away'
  await page.route('**/api/auth/**', (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    if (sent === 'away') return route.abort('connectionrefused')
    if (sent === 'broken')
      return route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' })
    return undefined
  })
  for (const [path, { fills, button }] of Object.entries(OUTSIDE))
    await t.test(path, async (t) => {
      await reads.set(PROBLEMS.broken)
      await page.goto(`${path}?token=t`)
      const form = main(page)
      for (const [field, text] of Object.entries(fills))
        await form.getByLabel(field, { exact: true }).fill(text)
      const submit = form.getByRole('button', { name: button, exact: true })
      sent = 'away'
      await submit.click()
      await alert(page, 'The service isn’t responding.').waitFor()
      await isWhole(t, watched, 'away')
      sent = 'broken'
      await submit.click()
      await alert(page, 'HTTP 502').waitFor()
      for (const [field, text] of Object.entries(fills))
        t.equal(await form.getByLabel(field, { exact: true }).inputValue(), text, `${field} stays`)
      await context.setOffline(true)
      await alert(page, 'You’re offline').waitFor()
      t.ok(await submit.isDisabled(), 'nothing can be sent')
      await isWhole(t, watched, 'offline')
      await context.setOffline(false)
    })
  await t.test(CALLBACK, async (t) => {
    sent = 'held'
    await page.goto(`${CALLBACK}?ticket=t`)
    await main(page).getByRole('status', { name: 'Loading' }).waitFor()
    await isWhole(t, watched, 'loading')
    sent = 'away'
    await page.goto(`${CALLBACK}?ticket=t`)
    await alert(page, 'The service isn’t responding.').waitFor()
    t.ok(await anything(page, 'Back to sign-in').isVisible())
    await isWhole(t, watched, 'away')
  })
  await context.close()
})
