import t from 'tap'
import { CHANNELS } from '../../modules/channels/senders/registry.ts'
import { PROVIDERS } from '../../modules/providers/registry.ts'
import { BUILT_IN } from '../../modules/templates/builtin.ts'
import { channels } from '../../web/messages/zh/channels.ts'
import { common } from '../../web/messages/zh/common.ts'
import { templates } from '../../web/messages/zh/templates.ts'

/* What the service calls things is said in Chinese where it is words or has a Chinese brand, and stays where it is another. */

const CHINESE = /\p{Script=Han}/u
const words = (list: string) => list.split(' ')

const PROVIDER_BRANDS = words(
  'powerdns cloudflare desec digitalocean hetzner gandi route53 google godaddy ovh vultr azure ' +
    'namecheap linode porkbun technitium scaleway bunny ionos inwx netcup njalla dnsimple gcore namecom ns1',
)
const CHANNEL_BRANDS = words('slack discord telegram google_chat teams mattermost ntfy webhook')
const TEMPLATE_BRANDS = new Set(['Google Workspace', 'Microsoft 365', 'Fastmail'])

void t.test('kinds of providers and of channels', async (t) => {
  t.same(
    [...PROVIDER_BRANDS, ...Object.keys(common.providerNames)].toSorted(),
    PROVIDERS.map(({ key }) => key).toSorted(),
  )
  t.same([...CHANNEL_BRANDS, ...Object.keys(channels.kindNames)].toSorted(), [...CHANNELS].toSorted())
  for (const name of Object.values({ ...common.providerNames, ...channels.kindNames })) t.match(name, CHINESE)
})

void t.test('built-in templates: each text, and no others', async (t) => {
  const texts = BUILT_IN.flatMap(({ name, description, variables }) => [
    name,
    description,
    ...variables.flatMap((one) => [one.label, one.description ?? '']),
  ]).filter((text) => text !== '' && !TEMPLATE_BRANDS.has(text))
  t.same(Object.keys(templates.builtInTexts).toSorted(), [...new Set(texts)].toSorted())
  for (const text of Object.values(templates.builtInTexts)) t.match(text, CHINESE)
})
