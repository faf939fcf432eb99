import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../language.tsx'
import { Copied, Facts } from '../page/Page.tsx'

/** TXT record that proves control of a name, ready to copy, with its state in public DNS. */
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
