import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { startSession } from './api/session.ts'
import { router } from './routes.tsx'
import { LanguageProvider, loadLanguage } from './ui/language.tsx'
import { followLooks } from './ui/looks.ts'
import './ui/tokens.css'
import './ui/base.css'

followLooks()
await Promise.all([loadLanguage(), startSession()])
createRoot(document.getElementById('console') as HTMLElement).render(
  <LanguageProvider>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </LanguageProvider>,
)
