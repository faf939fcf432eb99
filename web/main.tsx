import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiProblem, Unreachable } from './api/problems.ts'
import { queryClient } from './api/query-client.ts'
import { startSession } from './api/session.ts'
import { router } from './routes.tsx'
import { LanguageProvider, loadLanguage } from './ui/language.tsx'
import { followLooks } from './ui/looks.ts'
import { followParts } from './ui/parts.ts'
import { Start } from './views/shell/Start.tsx'
import './ui/tokens.css'
import './ui/base.css'

followLooks()
followParts()
const started = startSession()
// Its failure is the page's to say.
started.catch(() => undefined)
await loadLanguage()
// What the service says in words on the page is no fault of the page.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiProblem || error instanceof Unreachable)) reportError(error)
}
createRoot(document.getElementById('console') as HTMLElement, { onCaughtError }).render(
  <LanguageProvider>
    <QueryClientProvider client={queryClient}>
      <Start started={started}>
        <RouterProvider router={router} />
      </Start>
    </QueryClientProvider>
  </LanguageProvider>,
)
