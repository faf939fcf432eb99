import type { Page } from 'playwright-core'
import t from 'tap'
import type { Answer, Client } from '../helpers/app.ts'
import { faultsOf, openConsole, settled, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, applyAll, cell, editCell, grid, review } from './steps.ts'
import { startZones } from './zones.ts'

/* Who may what: a member with a part of one domain, and rights that are asked for and given, seen live by the other. */
t.setTimeout(540_000)

const { powerdns, addZone } = await startZones(t)
const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const open = (user: string) => openConsole(browser, origin, { user })

await service.addUser('ada')
const ada = await service.signIn('ada')
const shared = await addZone(admin, 'shared.example', [
  { name: 'www', value: '192.0.2.1' },
  { name: 'api.dev', value: '192.0.2.2' },
  { name: 'db.dev', value: '192.0.2.3' },
  { name: 'dev', value: '192.0.2.4' },
])
await addZone(admin, 'private.example', [{ name: 'www', value: '192.0.2.9' }])
const assignment = { username: 'ada', domainId: shared, subdomainPattern: '*.dev', permission: 'write' }
const { id: assignmentId } = made(await admin.post('/api/assignments', assignment))
const { records } = made(await admin.get(`/api/domains/${shared}/records`))
const idOf = (name: string) =>
  (records as { id: string; name: string; recordType: string }[]).find(
    (record) => record.name === name && record.recordType === 'A',
  )?.id

void t.test('a member with *.dev of one domain can view and edit only that', async (t) => {
  const watched = await open('ada')
  const { page } = watched
  await page.goto('/domains')
  await page.getByRole('link', { name: 'shared.example' }).waitFor()
  t.equal(await page.getByText('private.example').count(), 0)
  await page.getByRole('link', { name: 'shared.example' }).click()
  await cell(page, 'api.dev').waitFor()
  t.same(
    (await grid(page).getByRole('row').allInnerTexts()).slice(1).map((text) => text.trim().split(/\s+/)[0]),
    ['api.dev', 'db.dev'],
  )
  await editCell(page, '192.0.2.2', '192.0.2.22')
  await applyAll(page, 1)
  t.same(await powerdns.dig('api.dev.shared.example', 'A'), ['192.0.2.22'])

  await addRecord(page, { name: 'shop', value: '192.0.2.5' })
  const dialog = await review(page)
  await dialog.getByText('Conflicts').waitFor()
  t.ok(await dialog.getByRole('button', { name: /^Apply/ }).isDisabled(), 'a name outside of the part')
  await dialog.getByRole('button', { name: 'Leave out' }).click()
  await dialog.getByText('No changes.').waitFor()
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})

/** What administrators have and members have not: where, what it is called, and the call that stands behind it. */
const HIDDEN: [path: string, role: 'button' | 'link', name: string, call: (by: Client) => Promise<Answer>][] =
  [
    [
      'access',
      'button',
      'Grant access',
      (by) => by.post('/api/assignments', { ...assignment, username: 'root' }),
    ],
    [
      'access',
      'button',
      'Actions: ada *.dev.shared.example',
      (by) => by.put(`/api/assignments/${assignmentId}`, { permission: 'write' }),
    ],
    ['settings', 'button', 'Remove domain', (by) => by.delete(`/api/domains/${shared}`)],
    ['settings', 'button', 'Save', (by) => by.put(`/api/domains/${shared}`, { notes: 'mine' })],
    ['settings', 'button', 'Save SOA', (by) => by.put(`/api/domains/${shared}/soa`, { refresh: 7200 })],
    ['records', 'link', 'Users', (by) => by.get('/api/users')],
    ['records', 'link', 'Permissions', (by) => by.get(`/api/users/${admin.userId}`)],
    ['records', 'link', 'Channels', (by) => by.get('/api/notifications/configs')],
    ['records', 'link', 'Identity providers', (by) => by.delete(`/api/oauth/providers/${assignmentId}`)],
    ['records', 'link', 'Audit log', (by) => by.get('/api/audit')],
  ]

void t.test('the API refuses what is hidden from members', async (t) => {
  const theirs = await open('root')
  const hers = await open('ada')
  const seen = async (page: Page, role: 'button' | 'link', name: string) =>
    page.getByRole(role, { name, exact: true }).count()
  let at = ''
  for (const [path, role, name, call] of HIDDEN) {
    if (path !== at) {
      await Promise.all([theirs, hers].map(({ page }) => page.goto(`/domains/${shared}/${path}`)))
      await Promise.all([theirs, hers].map(({ page }) => settled(page)))
      at = path
    }
    t.ok((await seen(theirs.page, role, name)) > 0, `administrators have ${name}`)
    t.equal(await seen(hers.page, role, name), 0, `members have no ${name}`)
    const { status, body } = await call(ada)
    t.ok(status === 403 || status === 404, `${name}: ${status} ${JSON.stringify(body)}`)
  }
  const url = `/api/domains/${shared}/records`
  t.equal((await ada.put(`${url}/${idOf('www')}`, { value: '192.0.2.66' })).status, 404, 'not seen')
  t.equal((await ada.delete(`${url}/${idOf('dev')}`)).status, 404)
  const made = { recordType: 'A', name: 'shop', value: '192.0.2.66' }
  t.equal((await ada.post(url, made)).status, 403)
  t.same(await powerdns.dig('www.shared.example', 'A'), ['192.0.2.1'])
  await theirs.context.close()
  await hers.context.close()
})

void t.test('permissions of a user', async (t) => {
  const { page, context } = await open('root')
  await page.goto(`/access?user=${ada.userId}`)
  await page.getByRole('rowheader', { name: 'shared.example' }).waitFor()
  const name = page.getByRole('textbox', { name: 'Full name' })
  await name.fill('api.dev.shared.example')
  await page.getByText('ada can edit api.dev.shared.example A.').waitFor()
  await page.getByText('Permission on *.dev.shared.example').waitFor()
  await name.fill('dev.shared.example')
  await page.getByText('ada can neither view nor edit dev.shared.example A.').waitFor()
  await page.getByText('Missing: a permission').waitFor()
  await page.getByRole('button', { name: 'Grant this permission' }).click()
  const dialog = page.getByRole('dialog', { name: 'Grant access to shared.example' })
  await dialog.getByRole('button', { name: 'Grant access' }).click()
  await page.getByText('ada can edit dev.shared.example A.').waitFor()
  t.equal((await ada.get(`/api/domains/${shared}/records/${idOf('dev')}`)).status, 200)
  await context.close()
})

void t.test(
  'dates are filled in in the zone of the browser; a part of one is no date, and is not sent',
  async (t) => {
    const watched = await openConsole(browser, origin, { user: 'root', timezoneId: 'Asia/Shanghai' })
    const { page } = watched
    const domain = async () => made(await admin.get(`/api/domains/${shared}`))
    const saved = page.getByText('Saved', { exact: true })
    await page.goto(`/domains/${shared}/settings`)
    const until = page.getByLabel('Registered until')
    const save = page.locator('form').filter({ has: until }).getByRole('button', { name: 'Save' })
    await until.fill('2031-03-04')
    await save.click()
    await saved.waitFor()
    t.equal((await domain()).expiresAt, '2031-03-03T16:00:00.000Z', 'midnight there')
    t.equal(await until.getAttribute('title'), '2031-03-03 16:00:00 UTC')

    await until.press('Backspace')
    await page.keyboard.press('Enter')
    await page.getByText('The date is incomplete.').waitFor()
    t.equal((await domain()).expiresAt, '2031-03-03T16:00:00.000Z')
    await page.keyboard.type('02052032')
    await page.getByText('The date is incomplete.').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByText(/^Feb 5, 2032 \(/).waitFor()
    t.equal((await domain()).expiresAt, '2032-02-04T16:00:00.000Z')
    t.same(await faultsOf(watched), [])

    await page.goto('/audit')
    await page.getByLabel('From', { exact: true }).fill('2031-03-04')
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === '2031-03-03T16:00:00.000Z')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL(({ searchParams }) => !searchParams.has('from'))
    t.equal(await page.getByLabel('From', { exact: true }).inputValue(), '')
    await watched.context.close()
  },
)

void t.test('access is requested and granted, with live updates for both', async (t) => {
  const owner = await open('root')
  const member = await open('ada')
  await Promise.all([owner, member].map(({ page }) => page.goto('/requests')))
  await Promise.all([owner, member].map(({ page }) => settled(page)))

  async function ask(name: string) {
    await member.page.getByRole('button', { name: 'Request access' }).first().click()
    const form = member.page.getByRole('dialog', { name: 'Request access' })
    await form.getByRole('combobox', { name: 'Domain' }).fill('private.example')
    await form.getByText('One name', { exact: false }).click()
    await form.getByRole('textbox', { name: 'Name' }).fill(name)
    await form.getByRole('textbox', { name: 'Reason' }).fill(`I keep ${name}`)
    await form.getByRole('button', { name: 'Send request' }).click()
    await form.waitFor({ state: 'detached' })
  }
  const rowOf = (page: Page, name: string) =>
    page.getByRole('row').filter({ hasText: `${name}.private.example` })

  await ask('www')
  await rowOf(owner.page, 'www').getByRole('button', { name: 'Approve' }).click()
  const approval = owner.page.getByRole('dialog', { name: 'Approve request from ada' })
  await approval.getByText('Exactly what was requested.').waitFor()
  await approval.getByRole('button', { name: 'Approve as requested' }).click()
  await rowOf(member.page, 'www').getByText('approved').waitFor()
  await member.page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await member.page.getByRole('link', { name: 'private.example' }).waitFor()

  await member.page.getByRole('link', { name: 'Access requests', exact: true }).first().click()
  await ask('mail')
  await rowOf(owner.page, 'mail').getByRole('button', { name: 'Reject' }).click()
  const refusal = owner.page.getByRole('dialog', { name: 'Reject request from ada' })
  await refusal.getByRole('textbox', { name: 'Reason' }).fill('Mail is kept elsewhere')
  await refusal.getByRole('button', { name: 'Reject' }).click()
  await rowOf(member.page, 'mail').getByText('rejected').waitFor()
  await rowOf(member.page, 'mail').getByText('Mail is kept elsewhere').waitFor()

  await ask('shop')
  await rowOf(owner.page, 'shop').getByText('pending').waitFor()
  await rowOf(member.page, 'shop').getByRole('button', { name: 'Withdraw' }).click()
  await member.page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await rowOf(member.page, 'shop').getByText('withdrawn').waitFor()
  t.same(await faultsOf(member), [])
  t.same(await faultsOf(owner), [])
  await rowOf(owner.page, 'shop').getByRole('button', { name: 'Approve' }).click()
  const late = owner.page.getByRole('dialog', { name: 'Approve request from ada' })
  await late.getByRole('button', { name: 'Approve as requested' }).click()
  await late.getByRole('alert').waitFor()
  await owner.context.close()
  await member.context.close()
})
