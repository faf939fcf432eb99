import { lazyPart } from '../lazyPart.ts'

const ReviewRequest = lazyPart(() => import('./ReviewRequest.tsx'), 'ReviewRequest', ['reviewRequest'])

/** The form of a review, loaded where a domain requires one. */
export { ReviewRequest }
