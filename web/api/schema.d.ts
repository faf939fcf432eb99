/** The shapes of the API, as the typed client has them. */
export type { ConsoleApi, Schemas } from '../../clients/typescript/schema.ts'
