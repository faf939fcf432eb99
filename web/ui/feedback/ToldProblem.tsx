import type { Problem } from '../../api/problems.ts'
import { useLanguage, useMessages } from '../language.tsx'
import { NameChallenge } from '../dialogs/NameChallenge.tsx'
import { Originals } from './ReasonList.tsx'
import { useProblemText } from './reasons.ts'
import { visible } from '../visible.ts'

/** A problem within other content: translated, with the original message behind details. */
export function ToldProblem({ problem }: { problem: Problem }) {
  const isEnglish = useLanguage() === 'en'
  const text = useProblemText(problem)
  const { problems } = useMessages()
  if (problem.challenge)
    return (
      <div>
        {problems.challenge.title}
        <NameChallenge challenge={problem.challenge} />
      </div>
    )
  return (
    <div>
      {text}
      {!isEnglish && <Originals texts={[visible(problem.detail)]} />}
    </div>
  )
}
