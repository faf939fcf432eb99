import t from 'tap'
import { startPowerDns, type PowerDns } from '../peers/powerdns.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { cell, openRecords } from './steps.ts'
import { startZones } from './zones.ts'

/* Whole zones, in a real browser with real PowerDNS: what changed elsewhere, templates, and the move to another server. */
t.setTimeout(300_000)

const { powerdns, addZone: addZoneBy } = await startZones(t)
const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const addZone = (name: string, records?: { name: string; value: string }[]) => addZoneBy(admin, name, records)

/** A zone with its name servers, as it is once it was read. */
async function addRead(name: string, records?: { name: string; value: string }[]): Promise<string> {
  const id = await addZone(name, records)
  made(await admin.post(`/api/domains/${id}/sync`))
  return id
}

/** Changes the zone past us, as another program would. */
async function changeElsewhere(server: PowerDns, zone: string, rrsets: object[]): Promise<void> {
  const answer = await fetch(`${server.apiUrl}/api/v1/servers/localhost/zones/${zone}.`, {
    method: 'PATCH',
    headers: { 'x-api-key': server.apiKey },
    body: JSON.stringify({ rrsets }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

void t.test('changes by another program are shown and synced', async (t) => {
  const hosts = Array.from({ length: 30 }, (_, nth) => ({ name: `host-${nth}`, value: `192.0.2.${nth + 1}` }))
  const id = await addRead('elsewhere.example', hosts)
  await changeElsewhere(powerdns, 'elsewhere.example', [
    {
      name: 'host-0.elsewhere.example.',
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '198.51.100.1' }],
    },
    { name: 'host-1.elsewhere.example.', type: 'A', changetype: 'DELETE' },
  ])
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page } = watched
  await page.goto(`/domains/${id}/sync`)
  const row = (name: string) =>
    page.getByRole('table', { name: 'Differences' }).getByRole('row').filter({ hasText: name })
  await row('host-0').getByText('added').waitFor()
  await row('host-1').getByText('deleted').waitFor()
  await page.getByRole('button', { name: 'Sync 3 differences' }).click()
  await page.getByText('Already in sync. Nothing to do.').waitFor()
  await openRecords(page, id)
  await cell(page, '198.51.100.1').waitFor()

  // A zone that is all but empty is hardly meant.
  const gone = hosts.slice(2).map(({ name }) => ({
    name: `${name}.elsewhere.example.`,
    type: 'A',
    changetype: 'DELETE',
  }))
  await changeElsewhere(powerdns, 'elsewhere.example', gone)
  await page.goto(`/domains/${id}/sync`)
  await page.getByRole('button', { name: 'Sync 28 differences' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Delete this many records here?' })
  const force = asked.getByRole('button', { name: 'Delete 28 records here' })
  await force.waitFor()
  t.ok(await force.isDisabled(), 'not before the name is typed')
  t.equal(made(await admin.get(`/api/domains/${id}/records?type=A`)).total, 29, 'nothing is gone yet')
  await asked.getByRole('textbox').fill('elsewhere.example')
  await force.click()
  await page.getByText('Already in sync. Nothing to do.').waitFor()
  t.equal(made(await admin.get(`/api/domains/${id}/records?type=A`)).total, 1)
  t.same(
    (await faultsOf(watched)).filter((fault) => !fault.includes('409 (Conflict)')),
    [],
  )
  await watched.context.close()
})

void t.test('a zone added by name is imported immediately', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page } = watched
  const answer = await fetch(`${powerdns.apiUrl}/api/v1/servers/localhost/zones`, {
    method: 'POST',
    headers: { 'x-api-key': powerdns.apiKey },
    body: JSON.stringify({ name: 'there.example.', kind: 'Native', nameservers: ['ns7.example.net.'] }),
  })
  t.equal(answer.status, 201)
  await page.goto('/domains/add')
  await page.getByRole('textbox', { name: 'Domain name' }).fill('there.example')
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'there.example' }).waitFor()
  await cell(page, 'ns7.example.net').waitFor()
  t.equal(await page.getByText('This zone has not been imported yet').count(), 0)
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})

void t.test('a template is applied to two domains', async (t) => {
  for (const name of ['web-1.example', 'web-2.example']) await addZone(name)
  const template = {
    name: 'Web',
    variables: [{ name: 'address', label: 'Address', required: true }],
    records: [{ recordType: 'A', name: 'www', value: '{{address}}', ttl: 300 }],
  }
  made(await admin.post('/api/templates', template))
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page } = watched
  await page.goto('/templates')
  await page.getByRole('link', { name: 'Web', exact: true }).click()
  const domains = page.getByRole('combobox', { name: 'Domains' })
  for (const name of ['web-1.example', 'web-2.example']) {
    await domains.fill(name)
    await page.getByRole('option', { name }).click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Address' }).fill('192.0.2.80')
  await page.getByRole('button', { name: 'Preview changes' }).click()
  const plan = page.getByRole('dialog', { name: 'Planned changes: Web' })
  await plan.getByText('2 changes in 2 domains.').waitFor()
  t.same(await powerdns.dig('www.web-1.example', 'A'), [], 'shown is not done')
  await plan.getByRole('button', { name: 'Apply 2 changes' }).click()
  await plan.getByText('Each domain is a separate change').waitFor()
  for (const name of ['web-1.example', 'web-2.example'])
    t.same(await powerdns.dig(`www.${name}`, 'A'), ['192.0.2.80'])
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})

void t.test('a domain moves to another server: copy, switch, registrar steps', async (t) => {
  const second = await startPowerDns()
  t.teardown(() => second.close())
  const id = await addRead('moves.example', [
    { name: 'www', value: '192.0.2.1' },
    { name: 'mail', value: '192.0.2.2' },
  ])
  const { providers } = made(await admin.get('/api/providers'))
  const credentials = { apiUrl: second.apiUrl, apiKey: second.apiKey, serverId: 'localhost' }
  const providerId = (providers as { id: string; key: string }[]).find(({ key }) => key === 'powerdns')?.id
  const target = made(
    await admin.post('/api/provider-configs', {
      providerId,
      name: 'Second server',
      credentials,
      nameServers: ['ns9.example.net'],
    }),
  )
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page } = watched
  await page.goto(`/domains/${id}/settings`)
  await page.getByRole('checkbox', { name: 'Create the zone at the provider if missing' }).press('Space')
  await page.getByRole('button', { name: '1. Copy records' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy records to Second server' })
  await copy.getByText('192.0.2.2').waitFor()
  await copy.getByRole('button', { name: /^Copy:/ }).click()
  await copy.waitFor({ state: 'detached' })
  t.same(await second.dig('mail.moves.example', 'A'), ['192.0.2.2'])

  await page.getByRole('button', { name: '2. Switch domain' }).click()
  const lacks = page.getByRole('dialog', { name: 'Switch to Second server' })
  await lacks.getByRole('button', { name: 'Switch domain' }).click()
  const told = page.getByRole('dialog', { name: 'Switched. Now update the registrar:' })
  await told.getByText('Then set these name servers:').waitFor()
  const servers = await told
    .getByRole('textbox')
    .evaluateAll((fields: { value: string }[]) => fields.map(({ value }) => value))
  t.same(servers, ['ns9.example.net'])
  await told.getByRole('button', { name: 'Done' }).click()
  const domain = made(await admin.get(`/api/domains/${id}`))
  t.equal(domain.providerConfigId, target.id)
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})
