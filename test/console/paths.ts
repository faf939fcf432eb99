import { readFileSync } from 'node:fs'

const ROUTES = new URL('../../web/routes.tsx', import.meta.url)

/** The paths of all views of the console, as web/routes.tsx has them: `/domains/$id/records`. */
export function viewPaths(): string[] {
  const text = readFileSync(ROUTES, 'utf8')
  const parents = new Map(
    [...text.matchAll(/const (\w+) = \{\s+getParentRoute: \(\) => (\w+)[ ,]/g)].map(([, name, parent]) => [
      name,
      parent,
    ]),
  )
  const routes = new Map<string, { path: string; parent: string; leads: boolean }>()
  for (const [, name = '', body = ''] of text.matchAll(/const (\w+) = createRoute\(\{\n(.*?)\n\}\)/gs)) {
    const parent = parents.get(/^ {2}\.\.\.(\w+),/.exec(body)?.[1]) ?? ''
    const path = /\n {2}path: '([^']+)'/.exec(body)?.[1] ?? ''
    // Without a view of its own it leads on to another.
    routes.set(name, { path: path === '/' ? '' : path, parent, leads: !body.includes('component:') })
  }
  const full = (name: string): string => {
    const route = routes.get(name)
    return route ? full(route.parent) + route.path : ''
  }
  const frames = new Set([...routes.values()].map(({ parent }) => parent))
  const views = [...routes].filter(([name, { leads }]) => !frames.has(name) && !leads)
  return views.map(([name]) => full(name) || '/')
}
