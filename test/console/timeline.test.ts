import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'

/* When domains expire, as a picture, by the keyboard, and as a table. */
t.setTimeout(240_000)

const DAY_MS = 86_400_000
const LEAD_DAYS = 60
const { admin, origin } = await startConsole(t)
const config = await addManual(admin)
for (const [name, days] of [
  ['late', -40],
  ['later', -20],
  ['soon', 30],
  ['far', 200],
] as const) {
  const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString()
  const domain = {
    name: `${name}.example`,
    providerConfigId: config,
    expiresAt,
    expiryRemindDays: [LEAD_DAYS, 7],
  }
  made(await admin.post('/api/domains', domain))
}
const { weeks } = made(await admin.get('/api/dashboard/expiries'))
const watched = await openConsole(await startBrowser(t), origin, { user: 'root' })
const { page } = watched
const { keyboard } = page
await page.goto('/')
const chart = page.getByRole('group', { name: 'Upcoming expirations' })
const bars = chart.getByRole('link')
const focused = page.locator(':focus')
const boxOf = async (what: typeof bars) => (await what.boundingBox()) ?? { x: 0, width: 0 }
/** What is said of a bar. */
const said = (label: RegExp) => page.getByRole('group', { name: label })

void t.test('today, the longest lead time and overdue domains are in the right place', async (t) => {
  await bars.first().waitFor()
  t.equal(await bars.count(), weeks.length + 1)
  await bars
    .first()
    .and(chart.getByRole('link', { name: '2 are overdue', exact: true }))
    .waitFor()
  const week = await boxOf(bars.nth(1))
  const today = await boxOf(chart.locator('line[class*=today]'))
  const ofWeek = (Date.now() - Date.parse(weeks[0].week)) / (7 * DAY_MS)
  const near = (found: number, wanted: number, what: string) =>
    t.ok(Math.abs(found - wanted) < week.width / 4, `${what}: ${found}, not ${wanted}`)
  near(today.x + today.width / 2, week.x + ofWeek * week.width, 'today')
  const lead = await boxOf(chart.locator('rect[class*=lead]'))
  near(lead.x, today.x, 'the lead time begins today')
  near(lead.width, (LEAD_DAYS / 7) * week.width, 'and ends when reminders begin')
  await page.getByText('today', { exact: true }).waitFor()
  await page.getByText(`reminders start ${LEAD_DAYS} days before`).waitFor()
  t.same(await faultsOf(watched), [])
})

void t.test(
  'the domains of a bar stand at it, by arrow keys or the pointer; Escape closes them',
  async (t) => {
    await bars.first().focus()
    const overdue = said(/^2 are overdue$/)
    await overdue.getByRole('link', { name: 'late.example' }).waitFor()
    await overdue.getByRole('link', { name: 'later.example' }).waitFor()
    t.same(await faultsOf(watched), [])
    const [bar, popover] = [await boxOf(bars.first()), await boxOf(overdue)]
    t.ok(popover.x < bar.x + bar.width && popover.x + popover.width > bar.x, 'at the bar')
    // Along the weeks to the one that has a domain.
    for (
      let presses = 0;
      presses < 8 && !/: 1 domain/.test((await focused.getAttribute('aria-label')) ?? '');
      presses++
    )
      await keyboard.press('ArrowRight')
    const soon = said(/: 1 domain$/)
    await soon.getByRole('link', { name: 'soon.example' }).waitFor()
    t.equal(await overdue.count(), 0)
    const label = (await focused.getAttribute('aria-label')) ?? ''
    await keyboard.press('Tab')
    await soon.getByRole('link', { name: 'soon.example' }).and(focused).waitFor()
    await keyboard.press('Escape')
    await soon.waitFor({ state: 'detached' })
    t.equal(await focused.getAttribute('aria-label'), label, 'the bar has the focus again')
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowRight')
    await soon.waitFor()
    await keyboard.press('Escape')
    await soon.waitFor({ state: 'detached' })
    t.equal(await focused.getAttribute('aria-label'), label)

    // The pointer may go from a bar to what is said there.
    await bars.first().hover()
    await overdue.getByRole('link', { name: 'late.example' }).hover()
    await page.getByRole('heading', { level: 1 }).hover()
    await overdue.waitFor({ state: 'detached' })
    await chart.getByRole('link', { name: label }).press('Enter')
    await page.waitForURL(/\/domains\?.*expiresAfter=/)
    await page.getByRole('link', { name: 'soon.example' }).waitFor()
    t.equal(await page.getByRole('link', { name: 'far.example' }).count(), 0, 'those of the bar alone')
  },
)

void t.test('the table has the same data', async (t) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Show as table' }).click()
  const rows = page.getByRole('table', { name: 'Upcoming expirations' }).getByRole('row')
  await rows.filter({ hasText: '2 are overdue' }).waitFor()
  t.equal(await rows.count(), 4, 'a head, the overdue ones and a row a week that has some')
  t.equal(await chart.count(), 0)
  t.same(await faultsOf(watched), [])
})
