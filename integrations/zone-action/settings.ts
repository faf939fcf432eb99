import { readFileSync } from 'node:fs'

/** Ends the action with this message, which has no secrets. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
}

/** What the workflow and the runner say. */
export interface Settings {
  mode: 'plan' | 'apply'
  /** Of Zonekeeper. */
  url: string
  token: string
  /** Folder of the zone files, relative to the workspace. */
  zones: string
  workspace: string
  maxDeletions: number
  requestReview: boolean
  host: HostSettings
  commit: string
  /** Null outside of pull requests. */
  pullRequest: { number: number; isFork: boolean } | null
  /** Null for tags and pull requests. */
  branch: string | null
  /** Files the runner reads; null outside of a runner. */
  summaryFile: string | null
  outputFile: string | null
}

/** The API of the code host. */
export interface HostSettings {
  apiUrl: string
  token: string
  /** `owner/name` */
  repository: string
  /** Login whose comment is updated. */
  commentAuthor: string
}

/** Reads the environment that action.yml and the runner set. Throws ActionError if something is missing or invalid. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { MODE: mode, ZONEKEEPER_URL: url = '', MAX_DELETIONS: limit = '' } = env
  if (mode !== 'plan' && mode !== 'apply') throw new ActionError('Set the input mode to plan or apply.')
  if (url === '') throw new ActionError('Set the input url to the address of Zonekeeper.')
  if (!/^\d{1,6}$/.test(limit)) throw new ActionError('The input max-deletions is not a number.')
  const event = env['GITHUB_EVENT_NAME'] ?? ''
  const pullRequest = event.startsWith('pull_request') ? pullRequestIn(env) : null
  if (mode === 'apply' && pullRequest)
    throw new ActionError('A pull request is only planned. Apply on push to the branch it is merged into.')
  const ref = env['GITHUB_REF'] ?? ''
  return {
    mode,
    url,
    token: env['ZONEKEEPER_TOKEN'] ?? '',
    zones: env['ZONES'] || 'zones',
    workspace: env['GITHUB_WORKSPACE'] || process.cwd(),
    maxDeletions: Number(limit),
    requestReview: env['REQUEST_REVIEW'] === 'true',
    host: {
      apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
      token: env['GITHUB_TOKEN'] ?? '',
      repository: env['GITHUB_REPOSITORY'] ?? '',
      commentAuthor: env['COMMENT_AUTHOR'] || 'github-actions[bot]',
    },
    commit: env['GITHUB_SHA'] ?? '',
    pullRequest,
    branch: ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null,
    summaryFile: env['GITHUB_STEP_SUMMARY'] || null,
    outputFile: env['GITHUB_OUTPUT'] || null,
  }
}

interface PullRequestEvent {
  pull_request?: { number: number; head: { repo: { full_name: string } | null } }
}

function pullRequestIn(env: NodeJS.ProcessEnv): Settings['pullRequest'] {
  const event = JSON.parse(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8')) as PullRequestEvent
  if (!event.pull_request) throw new ActionError('The event has no pull request.')
  const { number, head } = event.pull_request
  // The repository of a deleted fork is null.
  return { number, isFork: head.repo?.full_name !== env['GITHUB_REPOSITORY'] }
}
