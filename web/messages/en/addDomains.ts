import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const addDomains = {
  title: 'Add domains',
  about: 'Import zones with their records from a provider, or add a domain by name.',
  noConfigs: 'First connect the DNS provider of your zones.',
  connect: 'Connect DNS provider',
  config: 'Provider connection',
  another: 'Connect another',
  zones: {
    title: 'Zones at the provider',
    filter: 'Part of the name',
    none: 'The provider lists no zones. Add a domain by name.',
    noneFound: 'No zones match the filter.',
    name: 'Zone',
    state: 'At the provider',
    servers: 'Name servers',
    here: 'In Zonekeeper',
    open: 'open',
    notHere: 'not imported',
    status: { active: 'active', pending: 'not delegated', paused: 'paused' },
    kind: { primary: 'primary', secondary: 'secondary' },
    chooseNew: (count: number) =>
      plural(count, { one: 'Select # not imported', other: 'Select all # not imported' }),
    import: (count: number) => plural(count, { one: 'Import # zone', other: 'Import # zones' }),
    importing: (done: string, total: string) => `Importing: ${done} of ${total}`,
    imported: (count: number) => plural(count, { one: '# zone imported', other: '# zones imported' }),
    failed: (count: number) => plural(count, { one: '# zone not imported', other: '# zones not imported' }),
    results: 'Import results',
    records: (count: number) => plural(count, { one: '# record', other: '# records' }),
    unmanaged: (count: number) => plural(count, { one: '# more unmanaged', other: '# more unmanaged' }),
    reload: 'Refresh list',
    which: 'Zone',
    several: 'The provider has several zones with this name, such as a public and a private one.',
  },
  byName: {
    title: 'Add by name',
    name: 'Domain name',
    nameHelp: 'For example, example.com; in Unicode or punycode.',
    createZone: 'Create the zone at the provider if missing',
    cannotCreate: 'Zonekeeper can’t create zones at this provider; the zone must already exist.',
    looking: 'Looking up the expiry date …',
    found: (day: string, registrar: string | null) =>
      registrar === null ? `Registered until ${day}.` : `Registered until ${day}, at ${registrar}.`,
    notFound: 'No expiry date found; you can set it manually.',
    tooOften: 'Too many lookups; you can set the date manually.',
    expiresAt: 'Registered until',
    submit: 'Add domain',
    added: (name: string) => `${name} added`,
  },
}
