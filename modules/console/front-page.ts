import { readdir, readFile } from 'node:fs/promises'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '../../plugins/http/errors.ts'

const ROOT = new URL('../../', import.meta.url)
const README = 'README.md'

/**
 * The documentation: README.md and docs/*.md of this version, as plain text; if the console is not built,
 * also the page at `/` that links to it.
 */
const frontPage: FastifyPluginAsyncTypebox = async (app) => {
  const files = new Map([[README, new URL(README, ROOT)]])
  for (const name of (await readdir(new URL('docs/', ROOT))).toSorted()) {
    if (name.endsWith('.md')) files.set(name, new URL(`docs/${name}`, ROOT))
  }
  const html = pageOf([...files.keys()])

  if (!app.hasRoute({ method: 'GET', url: '/' })) {
    app.get('/', {
      config: { access: 'public' },
      schema: { hide: true },
      handler: (_request, reply) => reply.type('text/html; charset=utf-8').send(html),
    })
  }

  app.get('/guide/:page', {
    config: { access: 'public' },
    schema: { hide: true, params: Type.Object({ page: Type.String() }) },
    handler: async ({ params: { page } }, reply) => {
      const file = files.get(page)
      if (!file) throw new AppError(404, 'not_found', `The documentation has no page ${page.slice(0, 100)}`)
      return reply.type('text/plain; charset=utf-8').send(await readFile(file, 'utf8'))
    },
  })
}

export default frontPage

/** Without styles and scripts, which the policy of all answers forbids. */
const pageOf = (guide: string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Zonekeeper</title>
</head>
<body>
<h1>Zonekeeper</h1>
<p>This service manages internet domains and their DNS records. Programs and people call its HTTP interface.</p>
<ul>
<li><a href="/docs">The interface</a>: all calls, to be read and tried</li>
<li><a href="/openapi.json">Its description for programs</a> (OpenAPI)</li>
</ul>
<h2>Guide</h2>
<ul>
${guide.map((name) => `<li><a href="/guide/${name}">${titleOf(name)}</a></li>`).join('\n')}
</ul>
</body>
</html>
`

const titleOf = (name: string) => {
  if (name === README) return 'First steps and configuration'
  const words = name.replace('.md', '').replaceAll('-', ' ').replace('dns', 'DNS')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
