import { ActionError, type HostSettings } from './settings.ts'

const PAGE_SIZE = 100
/** Comments of a pull request that are looked at. */
const MAX_PAGES = 50
const TIMEOUT_MS = 30_000

interface Comment {
  id: number
  body?: string | null
  user?: { login: string } | null
}

/**
 * Creates the comment that begins with `marker`, or updates it. Only a comment of our own counts: somebody else could change
 * theirs after the plan was written into it. Rejects with ActionError if the host refuses.
 */
export async function writeComment(
  host: HostSettings,
  pullRequest: number,
  { marker, text }: { marker: string; text: string },
): Promise<void> {
  const comments = `/repos/${host.repository}/issues/${pullRequest}/comments`
  const body = `${marker}\n${text}`
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await request(host, 'GET', `${comments}?per_page=${PAGE_SIZE}&page=${page}`)
    const found = (await answer.json()) as Comment[]
    const own = found.find(
      (comment) => comment.user?.login === host.commentAuthor && comment.body?.startsWith(`${marker}\n`),
    )
    if (own) {
      await request(host, 'PATCH', `/repos/${host.repository}/issues/comments/${own.id}`, { body })
      return
    }
    if (found.length < PAGE_SIZE) break
  }
  await request(host, 'POST', comments, { body })
}

/** Returns the newest commit of a branch. */
export async function newestCommit(host: HostSettings, branch: string): Promise<string> {
  const path = `/repos/${host.repository}/git/ref/heads/${branch.split('/').map(encodeURIComponent).join('/')}`
  const answer = (await (await request(host, 'GET', path)).json()) as { object: { sha: string } }
  return answer.object.sha
}

async function request(
  { apiUrl, token }: HostSettings,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.ok) return answer
  const needed = method === 'GET' ? 'contents: read and pull-requests: read' : 'pull-requests: write'
  throw new ActionError(
    `${method} ${path.split('?')[0]} was refused (HTTP ${answer.status}). The job needs the permissions ${needed}.`,
  )
}
