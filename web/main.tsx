import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { startSession } from './api/session.ts'
import { router } from './routes.tsx'
import { chosenLanguage, LanguageProvider, load } from './ui/language.tsx'
import { followLooks } from './ui/looks.ts'
import './ui/tokens.css'
import './ui/base.css'

followLooks()
const [first] = await Promise.all([load(chosenLanguage()), startSession()])
createRoot(document.getElementById('console') as HTMLElement).render(
  <LanguageProvider first={first}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </LanguageProvider>,
)
