import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `npm run dev:console` finds the service. */
const SERVICE = process.env['ZONEKEEPER'] ?? 'http://127.0.0.1:3000'

/**
 * The component library empties what it announces to screen readers by `innerHTML`, which the policy of the page refuses
 * (Trusted Types): typing into a number would end the page. The same by a method that needs no trust.
 */
const withoutInnerHtml: Plugin = {
  name: 'without-inner-html',
  enforce: 'pre',
  transform(code, id) {
    if (!/dist[/\\]private[/\\]live-announcer[/\\]LiveAnnouncer\./.test(id)) return null
    const changed = code.replaceAll(/\.innerHTML = ''/g, '.replaceChildren()')
    if (changed === code) throw new Error(`${id} is another than it was: look whether this is still needed`)
    return { code: changed, map: null }
  },
}

/**
 * What is always loaded together is one file, with all that it imports: compressed as one it is a tenth smaller than as the
 * fifty parts that views happen to share.
 */
const TOGETHER = [
  { name: 'start', test: /[\\/]main\.tsx$/, priority: 2 },
  {
    name: 'frame',
    test: /[\\/](inside\.ts|(shell[\\/]Shell|dashboard[\\/]Dashboard|ui[\\/]Dialog)\.tsx)$/,
    priority: 1,
  },
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Of the component library's own texts only those in the languages of the console.
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'zh-CN'] }), enforce: 'pre' },
    withoutInnerHtml,
    react(),
  ],
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // Everything is a file of its own: the policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Nothing happens as it is imported, which it does not say: who signs in needs but a half of it.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }] },
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: TOGETHER } },
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
