import { defineConfig, type OxlintOverride } from 'oxlint'

/** For each module, the modules and files it may import. Everything else uses events. */
const MODULES: Record<string, Record<string, string[]>> = {
  console: {},
  audit: {},
  users: { audit: ['service.ts'] },
  auth: { users: ['service.ts', 'passwords.ts'], audit: ['service.ts'] },
  oauth: {
    auth: ['browser.ts', 'fresh-sign-in.ts', 'security-notices.ts', 'sessions.ts', 'sign-in.ts'],
    users: ['service.ts', 'accounts.ts', 'invitations/service.ts'],
    audit: ['service.ts'],
  },
  providers: { audit: ['service.ts'] },
  domains: {
    providers: [
      'configs/service.ts',
      'traffic/connection.ts',
      'traffic/limits.ts',
      'contract.ts',
      'errors.ts',
    ],
    audit: ['service.ts'],
  },
  operations: { domains: ['access/access.ts'] },
  records: {
    domains: ['service.ts', 'access/access.ts'],
    operations: ['contract.ts'],
    providers: [
      'configs/service.ts',
      'traffic/connection.ts',
      'traffic/limits.ts',
      'contract.ts',
      'errors.ts',
    ],
    audit: ['service.ts'],
  },
  'change-requests': {
    records: ['service.ts'],
    domains: ['access/access.ts'],
    audit: ['service.ts'],
  },
  'domain-health': {
    records: ['service.ts'],
    domains: ['service.ts', 'access/access.ts'],
    providers: ['contract.ts'],
  },
  failover: {
    records: ['service.ts'],
    domains: ['access/access.ts'],
    audit: ['service.ts'],
  },
  templates: {
    records: ['service.ts'],
    domains: ['access/access.ts'],
    operations: ['contract.ts'],
    audit: ['service.ts'],
  },
  protocols: {
    records: ['service.ts'],
    domains: [
      'service.ts',
      'access/access.ts',
      'access/holder.ts',
      'zone-settings/dnssec.ts',
      'zone-settings/soa.ts',
    ],
    providers: ['contract.ts'],
    audit: ['service.ts'],
  },
  assignments: { domains: ['service.ts', 'access/access.ts'], users: ['service.ts'], audit: ['service.ts'] },
  notifications: { domains: ['access/access.ts'] },
  channels: { audit: ['service.ts'] },
  dashboard: { domains: ['service.ts', 'access/access.ts'] },
}

interface Restriction {
  group: string[]
  message: string
}

const aboveModules: Restriction = {
  group: ['**/app.ts', '**/main.ts', '**/server.js'],
  message: 'modules/ is below app.ts',
}

/** Clients are installed elsewhere and use the API; only the service's MCP endpoint serves the same tools. */
const CLIENTS: Restriction = {
  group: ['**/clients/**'],
  message: 'Only modules/protocols/mcp and web/ import clients/',
}

/** A file of a module can be up to two folders deep. */
const FROM = ['../', '../../', '../../../']

function restrictionsOf(module: string): Restriction[] {
  const allowed = MODULES[module] ?? {}
  const others = Object.keys(MODULES).filter((other) => other !== module)
  const usable = Object.entries(allowed).flatMap(([other, files]) => files.map((file) => `${other}/${file}`))
  return [
    {
      group: FROM.flatMap((up) => [
        ...others.map((other) => `${up}${other}/**`),
        ...usable.map((path) => `!${up}${path}`),
      ]),
      message: `modules/${module} may use: ${usable.join(', ') || 'no other module'}; use events for the rest`,
    },
    aboveModules,
    ...(module === 'protocols' ? [] : [CLIENTS]),
  ]
}

/** The folders from left to right, and what each must not import. */
const LAYERS: Record<string, Restriction[]> = {
  dns: [
    {
      group: ['**/schemas/**', '**/db/**', '**/plugins/**', '**/modules/**', 'fastify*', 'kysely*'],
      message: 'dns/ is pure: it imports nothing else of the project',
    },
  ],
  schemas: [
    {
      group: [
        ...['../', '../../'].flatMap((up) =>
          ['db', 'dns', 'modules', 'plugins'].map((folder) => `${up}${folder}/**`),
        ),
        '!../../dns/types/index.ts',
        '!../../dns/text/codes.ts',
        'fastify*',
        'kysely*',
      ],
      message: 'schemas/ may import only TypeBox, and the record types and codes of dns/',
    },
  ],
  db: [
    {
      group: ['**/schemas/**', '**/plugins/**', '**/modules/**', 'fastify*'],
      message: 'db/ must not import Fastify or the layers above it',
    },
  ],
  plugins: [
    {
      group: ['**/modules/**', '**/app.ts', '**/main.ts', '**/server.js'],
      message: 'plugins/ is below modules/',
    },
    CLIENTS,
  ],
  ...Object.fromEntries(
    Object.keys(MODULES).map((module) => [`modules/${module}`, restrictionsOf(module)] as const),
  ),
}

const QUERIES = ['**/queries.ts', '**/*-queries.ts']
const ONLY_QUERIES = 'Only queries.ts and *-queries.ts build SQL'

const STATEMENTS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']

/** A proxy can send a value that is not an address. */
const NO_RAW_ADDRESS = {
  object: 'request',
  property: 'ip',
  message: 'Use addressOf(request) of plugins/security/addresses.ts',
}

const layer = (folder: string, patterns: Restriction[]): OxlintOverride => ({
  files: [`${folder}/**`],
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

/** The same for files that are not queries: the last matching override applies. */
const withoutSql = (files: string[], patterns: Restriction[]): OxlintOverride => ({
  files,
  excludeFiles: [...QUERIES, 'scripts/**', 'test/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns, paths: [{ name: 'kysely', importNames: ['sql'], message: ONLY_QUERIES }] },
    ],
    'no-restricted-properties': [
      'error',
      NO_RAW_ADDRESS,
      ...STATEMENTS.map((property) => ({ property, message: ONLY_QUERIES })),
    ],
  },
})

/** The console and the clients use the API and the pure code of dns/. */
const BACKEND: Restriction = {
  group: [
    ...['schemas', 'db', 'plugins', 'modules', 'scripts', 'test'].flatMap((folder) =>
      ['../', '../../', '../../../', '../../../../'].map((up) => `${up}${folder}/**`),
    ),
    '**/app.ts',
    '**/config.ts',
  ],
  message: 'web/ and clients/ may import dns/ and nothing else of the service',
}
const TYPED_CLIENT: Restriction = {
  group: ['**/clients/**'],
  message: 'Only web/api/ imports the types and calls of clients/typescript',
}
const ONLY_UI: Restriction = {
  group: ['react-aria-components/**'],
  message: 'Only web/ui/ imports the component library',
}

const CONSOLE: OxlintOverride[] = [
  {
    files: ['web/**'],
    plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
    env: { browser: true, es2024: true },
    rules: {
      'no-restricted-imports': ['error', { patterns: [BACKEND, TYPED_CLIENT, ONLY_UI] }],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Only web/api/ calls the service' }],
      'react/react-in-jsx-scope': 'off',
      // Table columns define how a cell is rendered.
      'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
      // For its compiler, which is not used.
      'react/immutability': 'off',
      'react/incompatible-library': 'off',
      'react/set-state-in-effect': 'off',
      // A page or dialog with a single field focuses it.
      'jsx-a11y/no-autofocus': 'off',
      'jsx-a11y/prefer-tag-over-role': 'off',
      // BroadcastChannel has no target origin.
      'unicorn/require-post-message-target-origin': 'off',
      'react/no-danger': 'error',
      'react/exhaustive-deps': 'error',
      'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    },
  },
  {
    files: ['web/ui/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [BACKEND, TYPED_CLIENT] }] },
  },
  {
    files: ['web/api/**'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-imports': ['error', { patterns: [BACKEND, ONLY_UI] }],
    },
  },
]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: [
    'node_modules',
    'data',
    '.tap',
    'clients/*/dist',
    'clients/typescript/schema.ts',
    'web/dist',
  ],
  rules: {
    'no-shadow': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'no-await-in-loop': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'oxc/no-map-spread': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'promise/no-callback-in-promise': 'off',
    'promise/always-return': 'off',
    'promise/catch-or-return': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unnecessary-boolean-literal-compare': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
  },
  overrides: [
    ...Object.entries(LAYERS).map(([folder, patterns]) => layer(folder, patterns)),
    ...Object.entries(LAYERS)
      .filter(([folder]) => folder !== 'db')
      .map(([folder, patterns]) => withoutSql([`${folder}/**`], patterns)),
    withoutSql(['app.ts', 'config.ts', 'main.ts', 'server.js'], []),
    { files: ['scripts/**', 'test/**', 'main.ts'], rules: { 'no-console': 'off' } },
    layer('clients', [BACKEND]),
    ...CONSOLE,
    {
      files: ['test/**', 'integrations/**/*.test.ts'],
      rules: { 'typescript/unbound-method': 'off', 'no-unmodified-loop-condition': 'off' },
    },
  ],
})
