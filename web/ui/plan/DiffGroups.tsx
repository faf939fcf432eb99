import { CopyDiff, Diff, type DiffEntry, type Unchanged } from './Diff.tsx'

interface GroupsProps {
  groups: readonly { title: string; entries: readonly DiffEntry[] }[]
  unchanged: Unchanged
}

/** Changes of a plan in titled groups, copied as one text. Empty groups are hidden. */
export function DiffGroups({ groups, unchanged }: GroupsProps) {
  const own = groups.filter(({ entries }) => entries.length > 0)
  return (
    <>
      {own.length > 0 && <CopyDiff entries={own.flatMap(({ entries }) => entries)} unchanged={unchanged} />}
      {own.map(({ title, entries }) => (
        <section key={title} className="stack">
          <h3>
            {title} ({entries.length})
          </h3>
          <Diff label={title} unchanged={unchanged} entries={entries} isPart />
        </section>
      ))}
    </>
  )
}
