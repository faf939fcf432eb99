import { enableCompileCache } from 'node:module'

// Before anything large is loaded: the compiled code of the last start is used again.
enableCompileCache()

const { main } = await import('./main.ts')
await main()
