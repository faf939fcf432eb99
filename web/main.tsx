import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiProblem, Unreachable } from './api/problems.ts'
import { startSession } from './api/session/session.ts'
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
// The page shows its failure.
started.catch(() => undefined)
// Session, view and messages load in parallel; failures are retried when shown.
router.load().catch(() => undefined)
// Typing here means that a sign-in is about to follow.
addEventListener('input', preloadInside, { once: true })

// Problems shown on the page are not page errors.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiProblem || error instanceof Unreachable)) reportError(error)
}
const root = createRoot(document.getElementById('console') as HTMLElement, { onCaughtError })
// Not awaited: loaded modules may import this one, which would then never finish.
void loadLanguage().then(() =>
  root.render(
    <LanguageProvider>
      <Start started={started}>
        <RouterProvider router={router} />
      </Start>
    </LanguageProvider>,
  ),
)
