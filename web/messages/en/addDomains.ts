import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** How domains come in: by import, or by name. */
export const addDomains = {
  title: 'Add domains',
  about: 'Zones that a provider serves are imported with their records; others are added by name.',
  noConfigs: 'First connect what serves your zones.',
  connect: 'Connect a DNS provider',
  config: 'Provider',
  another: 'Connect another',
  zones: {
    title: 'Zones at the provider',
    filter: 'Part of the name',
    none: 'The provider lists no zones. Add a domain by its name.',
    noneFound: 'No zone fits the filter.',
    name: 'Zone',
    state: 'There',
    servers: 'Name servers',
    here: 'Here',
    open: 'open',
    notHere: 'not yet',
    status: { active: 'active', pending: 'not delegated yet', paused: 'paused' },
    kind: { primary: 'primary', secondary: 'secondary' },
    chooseNew: (count: number) =>
      plural(count, { one: 'Choose # that is not here', other: 'Choose all # that are not here' }),
    import: (count: number) => plural(count, { one: 'Import # zone', other: 'Import # zones' }),
    importing: (done: string, total: string) => `Importing: ${done} of ${total}`,
    imported: (count: number) => plural(count, { one: '# zone imported', other: '# zones imported' }),
    failed: (count: number) => plural(count, { one: '# zone not imported', other: '# zones not imported' }),
    results: 'Results of the import',
    records: (count: number) => plural(count, { one: '# record', other: '# records' }),
    unmanaged: (count: number) =>
      plural(count, { one: '# more not managed here', other: '# more not managed here' }),
    reload: 'Ask again',
    which: 'Which zone',
    several: 'The provider has several zones of this name, such as a public and a private one.',
  },
  byName: {
    title: 'One domain by its name',
    name: 'Domain name',
    nameHelp: 'Such as example.com; in Unicode or punycode.',
    createZone: 'Create the zone there if it is missing',
    cannotCreate: 'This kind creates no zones: the zone must be there already.',
    looking: 'Looking up when the registration ends …',
    found: (day: string, registrar: string | null) =>
      registrar === null ? `Registered until ${day}.` : `Registered until ${day}, at ${registrar}.`,
    notFound: 'No expiry date was found; it can be set by hand.',
    tooOften: 'Too many look-ups; the date can be set by hand.',
    expiresAt: 'Registered until',
    submit: 'Add domain',
    added: (name: string) => `${name} is here`,
  },
}
