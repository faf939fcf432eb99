import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../language.tsx'
import { Copied, Facts } from '../page/Page.tsx'

/** The TXT record that proves the right to a name, ready to be copied, and what public DNS says of it. */
export function NameChallenge({ challenge }: { challenge: Schemas['NameChallenge'] }) {
  const words = useMessages().problems.challenge
  return (
    <>
      <p>{words.about}</p>
      <Facts
        facts={[
          [words.record, <Copied key="record" label={words.record} text={challenge.name} />],
          [words.type, <code key="type">{challenge.type}</code>],
          [words.value, <Copied key="value" label={words.value} text={challenge.value} />],
        ]}
      />
      <p>{words.found[challenge.found]}</p>
    </>
  )
}
