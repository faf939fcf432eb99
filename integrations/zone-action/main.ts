import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { newestCommit, writeComment } from './code-host.ts'
import { applyZone, planZone, type ZonePlan } from './command-line.ts'
import { escaped, fenced, markerOf, planText } from './plan-comment.ts'
import { changesOf, refusalOf } from './plan-guard.ts'
import { ActionError, readSettings, type Settings } from './settings.ts'
import { findZoneFiles } from './zone-files.ts'

/** Runs the action. The exit code is 0 only if everything was planned, or applied. */
async function main(): Promise<void> {
  const settings = readSettings(process.env)
  requireToken(settings)
  const zones = findZoneFiles(settings.workspace, settings.zones)
  const plans: ZonePlan[] = []
  for (const zone of zones) plans.push(await planZone(settings, zone))
  const text = planText(plans, settings)
  say(settings, text)
  output(settings, plans)
  if (settings.mode === 'apply') return applyAll(settings, plans)
  if (settings.pullRequest)
    await writeComment(settings.host, settings.pullRequest.number, { marker: markerOf(settings.zones), text })
  const failed = plans.filter(({ plan }) => plan === null || plan.conflicts.length > 0)
  if (failed.length > 0) throw new ActionError(`Not planned: ${namesOf(failed)}`)
}

function requireToken({ token, pullRequest }: Settings): void {
  if (token !== '') return
  throw new ActionError(
    pullRequest?.isFork
      ? 'Not planned: a pull request from a fork gets no secrets, so there is no token for Zonekeeper. Someone with write access can push the branch to this repository to have it planned.'
      : 'Set the input token to a token of Zonekeeper; the secret may be missing or belong to another environment.',
  )
}

/** Applies the plans that were just made, zone after zone. Nothing is applied if one of them must not be. */
async function applyAll(settings: Settings, plans: ZonePlan[]): Promise<void> {
  const refused = plans.flatMap((zone) => {
    const refusal = refusalOf(zone, settings.maxDeletions)
    return refusal === null ? [] : [`${zone.domain}: ${refusal}`]
  })
  if (refused.length > 0) throw new ActionError(`Nothing was applied. ${refused.join(' ')}`)
  const { branch, commit, host } = settings
  // A run that is repeated, or overtaken, would bring back what a later commit changed.
  if (branch !== null && (await newestCommit(host, branch)) !== commit)
    throw new ActionError(`Nothing was applied: ${branch} has a newer commit, whose own run applies it.`)
  const failed: ZonePlan[] = []
  for (const zone of plans) {
    if (zone.plan === null || !zone.plan.planId || changesOf(zone.plan) === 0) continue
    const { isDone, said } = await applyZone(settings, zone.domain, zone.plan.planId)
    say(settings, `#### ${escaped(zone.domain)}\n\n${fenced(said.split('\n'), 'text')}`)
    if (!isDone) failed.push(zone)
  }
  if (failed.length > 0) throw new ActionError(`Not applied: ${namesOf(failed)}`)
}

const namesOf = (zones: ZonePlan[]): string => zones.map(({ domain }) => domain).join(', ')

/** Prints to the log, where the runner must not take a line for a command to it, and to the summary of the job. */
function say({ summaryFile }: Settings, text: string): void {
  const resume = randomUUID()
  process.stdout.write(`::stop-commands::${resume}\n${text}\n::${resume}::\n`)
  if (summaryFile !== null) appendFileSync(summaryFile, `${text}\n\n`)
}

function output({ outputFile }: Settings, plans: ZonePlan[]): void {
  const changes = plans.reduce((sum, { plan }) => sum + (plan ? changesOf(plan) : 0), 0)
  if (outputFile !== null) appendFileSync(outputFile, `changes=${changes}\n`)
}

/** Shows an error in the log and at the top of the run. */
function fail(message: string): void {
  const line = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  process.stdout.write(`::error title=Zonekeeper::${line}\n`)
  if (process.env['GITHUB_STEP_SUMMARY'])
    appendFileSync(process.env['GITHUB_STEP_SUMMARY'], `**${escaped(message)}**\n\n`)
  process.exitCode = 1
}

try {
  await main()
} catch (error) {
  const isNetwork = error instanceof TypeError && error.cause !== undefined
  if (!(error instanceof ActionError) && !isNetwork) throw error
  fail(isNetwork ? 'No answer from the API of the code host.' : error.message)
}
