import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { patchLiveAnnouncer } from './live-announcer-patch.ts'

/** Address of the service for `npm run dev:console`. */
const SERVICE = process.env['ZONEKEEPER'] ?? 'http://127.0.0.1:3000'

/** The frame around all views, and the small modules that each domain's records load with it. */
const FRAME = new RegExp(
  [
    'inside.ts',
    'shell/Shell.tsx',
    'dashboard/Dashboard.tsx',
    'ui/dialogs/Dialog.tsx',
    'ui/hooks/useSettled.ts',
    'ui/download.ts',
    'api/applied.ts',
    'api/queries/zones/changes.ts',
    'useSuspenseQuery.js',
  ]
    .map((end) => `/${end}$`.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]'))
    .join('|'),
)

/**
 * Modules that are always loaded together become one file with all they import: compressed, it is a tenth smaller than
 * the fifty chunks that views happen to share.
 */
const CHUNKS = [
  { name: 'start', test: /[\\/]main\.tsx$/, priority: 2 },
  { name: 'frame', test: FRAME, priority: 1 },
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Keep the component library's texts only in the languages of the console.
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'zh-CN'] }), enforce: 'pre' },
    patchLiveAnnouncer(),
    react(),
  ],
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // The page's policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The package has no side effects but does not declare so; the sign-in page needs only half of it.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }] },
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  server: {
    proxy: {
      '/api': SERVICE,
      '/oauth': SERVICE,
      '/docs': SERVICE,
      '/openapi.json': SERVICE,
      '/guide': SERVICE,
    },
  },
})
