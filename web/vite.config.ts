import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev:console` finds the service. */
const SERVICE = process.env['ZONEKEEPER'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Of the component library's own texts only those in the languages of the console.
  plugins: [{ ...optimizeLocales.vite({ locales: ['en-US', 'zh-CN'] }), enforce: 'pre' }, react()],
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // Everything is a file of its own: the policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
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
