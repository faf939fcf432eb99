import { printable } from '../../clients/printable.ts'
import type { Plan } from '../../clients/typescript/index.ts'
import type { ZonePlan } from './command-line.ts'
import { changesOf, refusalOf } from './plan-guard.ts'
import type { Settings } from './settings.ts'

type Content = NonNullable<Plan['creates'][number]['after']>

/** A comment has at most 65,536 characters; the rest is for headings and notes. */
const MAX_LINES_LENGTH = 45_000
const MAX_LINE_LENGTH = 400
/** Zones with a section of their own. */
const MAX_SECTIONS = 60

/** First line of the comment, by which it is found again. Encoded, nothing in the folder's name can end it. */
export const markerOf = (folder: string): string => `<!-- zonekeeper-plan ${encodeURIComponent(folder)} -->`

/**
 * Returns plans as Markdown. Whatever comes from records, files and the service is in code blocks that it can't close, so it
 * can neither format nor mention anybody.
 */
export function planText(
  zones: readonly ZonePlan[],
  { commit, maxDeletions, mode }: Pick<Settings, 'commit' | 'maxDeletions' | 'mode'>,
): string {
  const shown = zones.filter(
    (zone) => zone.plan === null || changesOf(zone.plan) + zone.plan.conflicts.length + zone.notes.length > 0,
  )
  const counts = shown.reduce((sum, { plan }) => sum + (plan ? changesOf(plan) : 0), 0)
  const sections: string[] = []
  let room = MAX_LINES_LENGTH
  for (const zone of shown.slice(0, MAX_SECTIONS)) {
    const { lines, length } = cut(linesOf(zone), room)
    room -= length
    sections.push(sectionOf(zone, lines, maxDeletions))
  }
  const rest = shown.length - sections.length
  const next = mode === 'plan' ? ' After the merge they are planned again and then applied.' : ''
  return [
    `### Zone plan`,
    shown.length === 0
      ? `No changes in ${zones.length} zones (${commit.slice(0, 12)}).`
      : `${counts} changes in ${shown.length} of ${zones.length} zones (${commit.slice(0, 12)}).${next}`,
    ...sections,
    ...(rest > 0 ? [`And ${rest} more zones.`] : []),
  ].join('\n\n')
}

function sectionOf(zone: ZonePlan, lines: string[], maxDeletions: number): string {
  const { domain, path, plan } = zone
  const refusal = plan === null ? null : refusalOf(zone, maxDeletions)
  return [
    `#### ${escaped(domain)}`,
    plan === null
      ? `${escaped(path)} can't be planned:`
      : `${escaped(path)}: ${plan.creates.length} to create, ${plan.updates.length} to update, ${plan.deletes.length} to delete`,
    fenced(lines, plan === null ? 'text' : 'diff'),
    ...(refusal === null ? [] : [`**It would not be applied.** ${escaped(refusal)}`]),
  ].join('\n\n')
}

/** The lines of a plan, as a diff: `-` and `+` for records, `!` for warnings and conflicts. */
function linesOf(zone: ZonePlan): string[] {
  if (zone.plan === null) return zone.failure.split('\n')
  const { plan, notes } = zone
  const records = [...plan.deletes, ...plan.updates, ...plan.creates].flatMap(({ before, after }) => [
    ...(before ? [`- ${lineOf(before)}`] : []),
    ...(after ? [`+ ${lineOf(after)}`] : []),
  ])
  const warnings = [...notes, ...plan.warnings.map(({ message }) => message)].map((line) => `! ${line}`)
  const conflicts = plan.conflicts.map(({ detail }) => `! conflict: ${detail}`)
  return [...conflicts, ...warnings, ...records].map(printable)
}

const lineOf = ({ name, ttl, recordType, value, enabled, proxied }: Content): string =>
  [name, ttl, recordType, value, ...(enabled ? [] : ['(disabled)']), ...(proxied ? ['(proxied)'] : [])].join(
    ' ',
  )

/** Returns the lines that fit, each cut to a bearable length, and their length. */
function cut(lines: string[], room: number): { lines: string[]; length: number } {
  const kept: string[] = []
  let length = 0
  for (const line of lines) {
    const short = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
    if (length + short.length + 1 > room) break
    length += short.length + 1
    kept.push(short)
  }
  const rest = lines.length - kept.length
  return { lines: rest > 0 ? [...kept, `… and ${rest} more lines`] : kept, length }
}

/** A code block whose fence is longer than each run of backticks in it. */
export function fenced(lines: string[], language: string): string {
  const text = lines.join('\n')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text outside of code blocks: everything that could mean something in Markdown or HTML is a character reference. */
export const escaped = (text: string): string =>
  printable(text).replaceAll(/[^\p{L}\p{N} .,;/]/gu, (character) => `&#${character.codePointAt(0)};`)
