import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from '../api/session/session.ts'
import type * as Inside from '../inside.ts'
import type { Area } from '../messages/en.ts'
import { oneOf, positive, searchOf } from '../search.ts'
import { REQUEST_FILTERS } from '../ui/request-filters.ts'
import { withTexts } from '../ui/language.tsx'
import { Loading } from '../ui/feedback/Loading.tsx'
import { NotFound } from '../views/shell/problems/NotFound.tsx'
import { PageProblem } from '../views/shell/problems/PageProblem.tsx'
import { Root } from '../views/shell/Root.tsx'

const insideViews = () => import('../inside.ts')

/** Preloads the views behind sign-in while the user signs in. */
export const preloadInside = () => void insideViews().catch(() => undefined)

/** A view behind sign-in. */
export const view = (name: keyof typeof Inside.views) =>
  lazyRouteComponent(async () => (await insideViews()).views[name]())

/** A view for people who are not signed in, with the messages of these areas. */
export const openView = <Name extends string, File extends Record<Name, () => ReactNode>>(
  load: () => Promise<File>,
  name: Name,
  areas: Area[],
) => lazyRouteComponent(withTexts(load, areas), name)

export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: PageProblem,
})

/** Parent of all views behind sign-in; it shows the navigation around them. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad({ location }) {
    if (session.get().state !== 'out') return
    // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  },
  notFoundComponent: NotFound,
  component: view('Shell'),
})

/** Filters of lists of change requests. */
export const requestSearch = searchOf({ status: oneOf(...REQUEST_FILTERS), page: positive })

/** Options of a page behind sign-in. */
export const page = {
  getParentRoute: () => inside,
  errorComponent: lazyRouteComponent(insideViews, 'PageReadProblem'),
}

/** Options of a page with useful content for administrators only. */
export const administrationPage = { ...page, staticData: { administrators: true } }

/** Options of a tab within a page. */
export const tab = {
  pendingComponent: Loading,
  errorComponent: lazyRouteComponent(insideViews, 'PartReadProblem'),
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    administrators?: boolean
  }
}
