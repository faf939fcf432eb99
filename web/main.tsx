import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiProblem, Unreachable } from './api/problems.ts'
import { startSession } from './api/session.ts'
import { router } from './router.ts'
import { preloadInside } from './routes/root.ts'
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
// Who is signed in, what the page shows and what it says come at the same time. What fails is tried again as it is shown.
router.load().catch(() => undefined)
// Who types here is about to be signed in.
addEventListener('input', preloadInside, { once: true })

// What the service says in words on the page is no fault of the page.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiProblem || error instanceof Unreachable)) reportError(error)
}
const root = createRoot(document.getElementById('console') as HTMLElement, { onCaughtError })
// Not awaited: what is loaded may need what is here, which would not be there until then.
void loadLanguage().then(() =>
  root.render(
    <LanguageProvider>
      <Start started={started}>
        <RouterProvider router={router} />
      </Start>
    </LanguageProvider>,
  ),
)
