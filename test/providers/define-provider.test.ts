import t from 'tap'
import { BASIC_TYPES } from '../../modules/providers/capabilities.ts'
import { Secret } from '../../modules/providers/client/fields.ts'
import type { AdapterContext, DnsAdapter } from '../../modules/providers/contract.ts'
import { defineProvider, type Account } from '../../modules/providers/shared/define-provider.ts'

const adapter = {} as DnsAdapter

void t.test('a provider states differences only; its adapter is loaded when it is opened', async (t) => {
  const opened: Account[] = []
  let loads = 0
  const provider = defineProvider({
    id: '0192f0a0-0000-7000-8000-0000000000ff',
    key: 'example',
    name: 'Example DNS',
    shortName: 'Example',
    apiUrl: 'https://api.example.net/v1',
    credentials: { apiToken: Secret('API token', 'Create it in the console') },
    rights: '',
    can: {
      recordTypes: BASIC_TYPES,
      identity: 'rrset',
      minTtl: 60,
      defaultTtl: 300,
      txt: { beyondAscii: true },
    },
    load: async () => {
      loads++
      return { open: (account) => (opened.push(account), adapter) }
    },
  })
  const { capabilities } = provider
  t.match(capabilities, {
    createZone: false,
    nullMx: false,
    maxBatch: 1,
    maxTtl: 2 ** 31 - 1,
    writeUnit: 'rrset',
  })
  t.match(capabilities.txt, { beyondAscii: true, strings: false, maxLength: 65_000 })
  t.throws(() => Object.assign(capabilities, { createZone: true }), TypeError)
  t.same(Object.keys(provider.credentialSchema.properties), ['apiToken', 'apiUrl'])
  t.equal(loads, 0)

  const context = {} as AdapterContext
  t.equal(await provider.open({ apiToken: 'secret' }, context), adapter)
  await provider.open({ apiToken: 'secret', apiUrl: 'https://proxy.example.net/' }, context)
  t.equal(loads, 2)
  t.match(opened, [
    { provider: 'Example', url: 'https://api.example.net/v1', isOwnAddress: false },
    { provider: 'Example', url: 'https://proxy.example.net', isOwnAddress: true },
  ])
})
