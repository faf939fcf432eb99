/** Both views in one chunk: they share most of their parts. */
export { Mirrors } from './Mirrors.tsx'
export { Move } from './move/Move.tsx'
