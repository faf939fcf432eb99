import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './routes/account.ts'
import { administrationRoutes } from './routes/administration.ts'
import { domainRoutes } from './routes/domains.ts'
import { pageRoutes } from './routes/pages.ts'
import { inside, root } from './routes/root.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { PageLoading } from './ui/feedback/Loading.tsx'
import { PageProblem } from './views/shell/problems/PageProblem.tsx'

export const router = createRouter({
  routeTree: root.addChildren([
    ...signInRoutes,
    inside.addChildren([...pageRoutes, ...domainRoutes, ...administrationRoutes, accountRoutes]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
