import { lazyPart } from '../lazyPart.ts'

/** The form of a review, loaded where a domain requires one. */
export const ReviewRequest = lazyPart(() => import('./ReviewRequest.tsx'), 'ReviewRequest', ['reviewRequest'])
