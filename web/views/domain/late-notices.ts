import { lazyPart } from '../../ui/lazyPart.ts'

const AppliedNotice = lazyPart(() => import('./AppliedNotice.tsx'), 'AppliedNotice', ['verification'])

const UnconfirmedNotices = lazyPart(() => import('./UnconfirmedNotices.tsx'), 'UnconfirmedNotices', ['later'])

/** Notices above the tabs of a domain, loaded where there is something to tell. */
export { AppliedNotice, UnconfirmedNotices }
