import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

/** Builds the console into web/dist, or the folder given, with compressed forms of each file: `npm run build:console`. */
const WEB = fileURLToPath(new URL('../../web/', import.meta.url))
const [dist = `${WEB}dist`] = process.argv.slice(2)
/** Compressing smaller files saves no packet. */
const WORTH_BYTES = 1024

await build({ configFile: `${WEB}vite.config.ts`, logLevel: 'warn', build: { outDir: dist } })
for (const file of globSync(`${dist}/assets/*.{js,css,svg}`)) {
  if (statSync(file).size < WORTH_BYTES) continue
  const text = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
}
