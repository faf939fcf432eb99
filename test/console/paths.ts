import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROUTES = fileURLToPath(new URL('../../web/routes/', import.meta.url))

interface ConsoleRoute {
  path: string
  parent: string
  redirects: boolean
}

/** The paths of all views of the console, as web/routes/ lists them: `/domains/$id/records`. */
export function viewPaths(): string[] {
  const text = globSync(`${ROUTES}*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const routes = new Map<string, ConsoleRoute>()
  for (const [, name = '', body = ''] of text.matchAll(/const (\w+) = createRoute\(\{\n(.*?)\n\}\)/gs)) {
    // Without a parent of its own it is a page of the frame, which has no path.
    const [, parent = ''] = /getParentRoute: \(\) => (\w+)/.exec(body) ?? []
    const [, path = ''] = /\n {2}path: '([^']+)'/.exec(body) ?? []
    routes.set(name, { path: path === '/' ? '' : path, parent, redirects: !body.includes('component:') })
  }
  const full = (name: string): string => {
    const route = routes.get(name)
    return route ? full(route.parent) + route.path : ''
  }
  const parents = new Set(['inside', ...[...routes.values()].map(({ parent }) => parent)])
  return [...routes].flatMap(([name, { redirects }]) =>
    parents.has(name) || redirects ? [] : full(name) || '/',
  )
}
